// Package jsonc changes files of settings that people write by hand: JSON with
// comments and trailing commas.
//
// Contract: a change touches the bytes that it is about and no others. Comments,
// order, indentation, line ends and a byte order mark stay as they are; what is
// added looks like what stands around it. What is no such file, or holds a key
// twice on the way to what is changed, is an [*Error] with its line and column,
// and nothing has been changed then.
package jsonc
