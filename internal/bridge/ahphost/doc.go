// Package ahphost is a host of the Agent Host Protocol (AHP). It gives AHP clients
// access to the hubs' sessions.
//
// A [Host] is one client of each hub. The hub's updates of a session (type remote)
// become actions on the session's two channels (types turn, pendingRequests, others and
// choices; package ahpmap). The channels' states (types chat and overview) are these
// actions folded (package ahp). The feed numbers the actions and sends them to clients.
// Clients' actions go the other way, through the queue.
//
// Contract:
//
//   - All clients of a channel get its actions in the same order. A snapshot contains
//     exactly the actions before it; later actions follow.
//   - A client that does not read delays nobody. If too many bytes are pending, it is
//     disconnected. When it reconnects, it gets the actions that it missed, or
//     snapshots.
//   - A client's action is either applied and sent to all clients with its origin, or
//     sent back to that client with the reason for the rejection. A permission counts
//     once the hub confirms that it was the first answer.
//   - A client is sent nothing before it is saved, by the hub's source or in the host's own files,
//     unless that fails.
//   - A chat's state contains as many of the newest turns as fit. A client loads older
//     turns with fetchTurns.
//   - Listing and creating sessions starts no agent.
//   - Files are read only inside the folders of sessions, and never written.
//
// One mutex guards all state. While it is held, nothing is written to a client or an
// agent, and no file is touched except the one with older turns (type earlier).
package ahphost
