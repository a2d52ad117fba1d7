// Package hub lets several clients use the sessions of one agent at once, and keeps the
// sessions alive while no client is connected.
//
// A hub is the view of one source, the agent's, which it opens when the first client
// connects. It is also a source for each client's view. A session is a [history]: a
// numbered list of changes in one order. Each client reads it at its own pace. A client
// that does not read delays nobody; its pending changes are folded into fewer ones. A
// client that attaches later, or again, gets the folded history. The newest part of a
// history is in memory, and the older part on disk (type shelf).
//
// Contract:
//
//   - All clients get a session's changes in the same order. Changes made before a
//     response reach the client before it, and so do changes made before a notification
//     without a session.
//   - A request from the agent goes to every client of its session that can answer it.
//     The first answer counts, and the others are withdrawn. A client that disconnects
//     has not answered. An extension's request without a session goes to every client
//     that is connected, except observers.
//   - A client that disconnects ends nothing.
//
// A session may be open on another server ([Config].Elsewhere). Then the hub is one
// client of that server's hub, on behalf of all its own clients. Only the hub that owns
// the session decides about its questions.
//
// One mutex guards all state. While it is held, no source is called and nothing is
// shown; the only I/O is to move history from memory to disk.
package hub
