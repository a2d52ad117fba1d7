// Package core is the contract between what has an agent's sessions and what
// shows them to clients.
//
// A [Source] has the sessions of one agent. A [View] shows them to clients, and
// passes on what clients ask for, as a [Call]. What the agent wants to know of its
// user is an [Ask]. Between the two are Go values: a view alone knows how a client
// writes them, and a source alone what the agent says.
//
// # Contract
//
// A view gives its source one message of a client after the other. No method of a
// source blocks, so a cancel overtakes nothing and nothing overtakes it.
//
// A source answers each call exactly once. What it shows before it answers precedes
// the answer, and what it shows after follows it.
//
// Methods of a view are safe for concurrent use. Those that say so wait while the
// client does not read: this is the only back-pressure, and it bounds what waits.
// No method of a view calls a source, so a source may hold its locks.
package core
