// Package events makes the streams of AgentEvents that the bench sends
// through a bridge, in Turnwire's native dialect.
//
// A [Stream] is rendered into memory once, before any clock starts, so that
// whoever prints it is never the bottleneck. It depends on its parameters
// alone: the child that prints a stream and the editor that receives it make
// the same one and can compare, to the last character, what went in with what
// came out (see [Summary]).
package events
