// Package soak runs clients of each kind on many sessions of a real "turnwire serve",
// through a proxy that breaks their connections at random moments. Editors, agents and
// the server are processes; the network is real sockets.
//
// By default a few sessions run, for CI. "make soak" runs many: the flags -soak.sessions,
// -soak.open and -soak.duration set how many, and -soak.seed repeats the choices of a run,
// though not its timing.
//
// The laws, checked while clients read and at the end of each session:
//
//   - A client that reconnects misses nothing and gets nothing twice: at the end of a
//     session, each client shows what session/load shows.
//   - Each prompt reaches the agent once and is answered once.
//   - The agent is allowed only what a person allowed, and refused only what a person refused
//     or cancelled. Each of its requests gets one answer.
//   - Observers are asked nothing, and can't prompt.
//   - At the end, no process of an agent is left.
package soak
