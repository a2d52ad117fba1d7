// Package e2e drives the built binary like an editor: as a process, over real
// pipes, with agents that are processes too. It contains only tests.
//
// The tests need a Go toolchain, a POSIX shell and python3 in PATH. Every test
// ends with the same checks: the binary exited with the right code, wrote only
// JSON-RPC to stdout and nothing to stderr, and all the processes that it
// started have ended. If possible, the binary is built with the race detector.
package e2e
