// Package acp is the view of a source for one client that speaks the Agent Client
// Protocol, version 1, on a pair of streams.
//
// # Goroutines
//
// One goroutine reads the client and gives each message to the source. It never waits
// for the source, the agent or the client. Another one writes; see [protocol.Stream].
//
// # The end
//
// At the end of the input every call is answered at once, and the agent is closed.
// Both, and writing the last lines, share one budget of time; see [endBudget].
package acp
