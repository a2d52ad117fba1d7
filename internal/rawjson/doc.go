// Package rawjson handles JSON text as bytes, without building values.
//
// Turnwire's hot path copies the text of a model from the agent's line to the
// editor's line. Both are JSON, so a string that is valid on the way in is
// valid on the way out. This package finds the string, checks that it is valid,
// and lets it be appended unchanged.
//
// Contract: a [String] that has passed [Parse], [Quote] or [String.Clean] is
// valid UTF-8, has only the escapes of RFC 8259 and no control characters, and
// can be put between two quotation marks. Nothing here keeps a reference to its
// input beyond what it returns.
package rawjson
