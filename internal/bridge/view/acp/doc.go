// Package acp is a source's view for one client that speaks version 1 of the Agent
// Client Protocol on a pair of streams.
//
// # Goroutines
//
// One goroutine reads the client and passes each message to the source. It never waits
// for the source, the agent or the client. Another goroutine writes; see
// [protocol.Stream].
//
// # Shutdown
//
// At EOF every call is answered at once, and the agent is closed. Both, and writing the
// last lines, share one time budget; see [endBudget].
package acp
