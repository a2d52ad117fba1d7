// Package audit records permission decisions in an append-only file, one line per
// permission request.
//
// # Contract
//
// A line is a [consent.Decision] as JSON. It is appended with a single write, so lines
// from several processes don't mix. Only its user can read the file. It is opened for
// each line, so that it can be moved away at any time. A failed write is logged once; it
// delays nobody and permits nothing.
package audit
