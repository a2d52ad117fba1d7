// Package jsonc changes settings files that users write by hand: JSON with
// comments and trailing commas.
//
// Contract: a change touches only the bytes that it is about. Comments, order,
// indentation, line ends and a byte order mark stay as they are, and added text
// is formatted like the text around it. If a file is not valid, or has a key
// twice on the path of a change, the result is an [*Error] with line and
// column, and nothing is changed.
package jsonc
