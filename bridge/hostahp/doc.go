// Package hostahp is a host of the Agent Host Protocol, which gives clients the
// sessions of agents that hubs have.
//
// A [Host] is one more front end of each hub, and keeps the state of each session that a
// client looks at: what the hub says of a session becomes
// actions (package mapahp), and the state is those actions folded (package ahp).
//
// Contract:
//
//   - All clients of a channel get its actions in the same order. A snapshot holds
//     exactly the actions before it; those after it follow.
//   - A client that does not read delays nobody: too much of what waits for it ends
//     its connection. It reconnects, and gets what it has missed, or snapshots.
//   - An action of a client is applied and sent to all with its origin, or sent back
//     to it with the reason why not. A permission that it gives counts once the hub
//     says that it was the first.
//   - Listing sessions, and making one, starts no agent.
//   - Files are read inside the folders of sessions alone, and never written.
//
// One mutex guards all state. Nothing is written and no file is read while it is
// held.
package hostahp
