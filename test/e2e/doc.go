// Package e2e drives the built binary as an editor does: as a process, over
// real pipes, with agents that are processes too. It contains only tests.
//
// Contract: a Go toolchain, a POSIX shell and python3 are in PATH. Every test
// ends with the same checks: did the binary exit with the right code, did it
// write only JSON-RPC to stdout and nothing to stderr, and have all processes
// ended that it started? If possible, the binary is built with the race
// detector.
package e2e
