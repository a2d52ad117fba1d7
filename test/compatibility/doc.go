// Compatibility runs agents and clients with Turnwire, and writes what it saw to
// docs/compatibility.md:
//
//	go run ./test/compatibility [-only NAME,…] [-o FILE]
//
// It installs each agent from its registry into a cache folder, starts it behind the
// real binary with a separate home folder and a scripted model instead of a real one
// (internal/model), and drives it with the official TypeScript SDK (probe.mjs). Clients
// are the official SDKs and the command line, which are driven here, and editors, whose
// test suites are run.
//
// A failure is a cell of the table, and never ends the run. Logs of every run are in the
// cache folder.
package main
