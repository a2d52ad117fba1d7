// Package schema holds the JSON Schemas (draft 2020-12) of everything that
// crosses one of Turnwire's pipes: what an agent prints, what an agent is
// told, and what goes between Turnwire and an editor.
//
// Contract: the files are generated from the Go types by the command in
// schema/gen, committed, and embedded as they stand, so that a running
// Turnwire needs no reflection to print one. A test fails where a file is
// older than the types.
package schema
