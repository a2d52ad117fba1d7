// Package e2e drives the built binary as an editor does: as a process, over
// real pipes, with agents that are processes too. There is nothing here but
// tests.
//
// Contract: a Go toolchain, a POSIX shell and python3 are in PATH. Every test
// ends with the same questions, also where it asks no other: did the binary
// exit with the right code, did it write nothing but JSON-RPC to stdout and
// nothing to stderr, and is every process gone that it started? The binary is
// built with the race detector where that can be done.
package e2e
