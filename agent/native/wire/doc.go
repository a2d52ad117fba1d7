// Package native decodes Turnwire's own dialect: the JSON of [agent.Event],
// one object a line. It is a superset of the vocabulary of Ethos (seed 000).
//
// The events that come by the thousand (text, thoughts, tool calls with their
// output) are decoded by hand, without reflection and without copying text.
// Everything else, and every line that is in any way unusual, goes through
// encoding/json; both ways give the same events, which a test shows.
package wire
