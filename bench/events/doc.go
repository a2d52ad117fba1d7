// Package events generates the streams of AgentEvents that the bench sends through a
// bridge, in Turnwire's native dialect.
//
// A [Stream] is rendered into memory once, before any clock starts, so that printing it
// is never the bottleneck. It depends only on its parameters. The child that prints a
// stream and the editor that receives it generate the same one, and so can compare input
// and output to the last character (see [Summary]).
package events
