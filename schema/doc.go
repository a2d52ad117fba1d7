// Package schema holds the JSON Schemas (draft 2020-12) of everything that crosses one of
// Turnwire's pipes: an agent's output, an agent's input, and the messages between
// Turnwire and an editor. It also holds the schema of the configuration file.
//
// Contract: the files are generated from the Go types by the command in schema/gen,
// committed, and embedded, so that Turnwire needs no reflection to print one. A test
// fails if a file is out of date.
package schema
