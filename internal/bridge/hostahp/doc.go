// Package hostahp is a host of the Agent Host Protocol, which gives clients the
// sessions of agents that hubs have.
//
// A [Host] is one more client of each hub. What the hub says of a session (type remote)
// becomes actions of its two channels (types turn, asks, others and choices; package
// mapahp). The channels' states (types chat and overview) are those actions folded
// (package ahp), which the feed numbers and sends to clients. What clients do goes the
// other way, through the queue.
//
// Contract:
//
//   - All clients of a channel get its actions in the same order. A snapshot holds
//     exactly the actions before it; those after it follow.
//   - A client that does not read delays nobody: with too many bytes pending it is
//     disconnected. It reconnects, and gets the actions that it missed, or snapshots.
//   - An action of a client is applied and sent to all with its origin, or sent back
//     to it with the reason why not. A permission that it gives counts once the hub
//     says that it was the first.
//   - The state of a chat has its newest turns, as many as there is room for. fetchTurns
//     loads the others for the client that asks.
//   - Listing sessions, and making one, starts no agent.
//   - Files are read inside the folders of sessions alone, and never written.
//
// One mutex guards all state. While it is held nothing is written to a client or an agent,
// and no file is touched but that of older turns (type earlier).
package hostahp
