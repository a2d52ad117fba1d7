// Package core is the contract between the sources of sessions and the views that show
// them to clients.
//
// A [Source] runs the sessions of one agent. A [View] shows them to clients, and passes
// each client request on as a [Call]. A request from the agent to its user or client is
// an [Request]. The two exchange Go values: only a view knows the clients' wire format, and
// only a source knows the agent's.
//
// # Contract
//
// A view passes a client's messages to its source one at a time, in order. No method of
// a source blocks, so a cancel neither overtakes other messages nor is overtaken.
//
// A source answers each call exactly once. Updates shown before the answer reach the
// client before it, and later ones after it.
//
// A view's methods are safe for concurrent use. Those documented to wait do so while
// the client does not read. This is the only back-pressure, and it bounds the number of
// pending updates. No method of a view calls a source, so a source may hold its locks
// while it calls a view.
package core
