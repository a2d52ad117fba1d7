// Package rawjson handles JSON text as bytes, without building values.
//
// Turnwire's hot path copies a model's text from the agent's line to the editor's line.
// Both are JSON, so a string that is valid in the input is valid in the output. This
// package finds the string, checks that it is valid, and allows appending it unchanged.
//
// Contract: a [String] returned by [Parse], [Quote] or [String.Clean] is valid UTF-8,
// contains only the escapes of RFC 8259 and no control characters, and can be put between
// two quotation marks. Nothing here retains a reference to its input, except in its
// results.
package rawjson
