// Package jsonc changes settings files that users edit by hand: JSON with comments and
// trailing commas.
//
// Contract: a change affects only the bytes that it must. Comments, order, indentation,
// line endings and a byte order mark are preserved, and added text is formatted like the
// text around it. If a file is invalid, or has a duplicate key on the path of a change,
// nothing is changed, and the error is an [*Error] with line and column.
package jsonc
