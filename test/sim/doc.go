// Package sim runs Turnwire's real core, with sources, views, hub and journal, in generated worlds
// with virtual time. The tests play the agents (native programs, the framework Agentao, ACP agents
// and AG-UI servers) and the clients (of ACP and AHP), in the same process, over in-memory
// connections that delay, stall and break. In some worlds, AHP clients do what editors' windows
// do: they create sessions, queue messages, go back to earlier turns, read files, and connect
// again to a host that continued or was restarted. Some clients use the real client and server of
// the remote transport, over a network that breaks at random moments; they continue on a restarted
// server. The disk, which is in memory, may be full for a while; that also tears a write. It may
// also be slow. In some worlds, one or two servers save their sessions in a model of NATS
// (internal/test/memnats), from which they may be cut off, or which may be silent.
//
// Some agents have skills besides what all agents do: they change files on the real disk, of
// which clients accept a part, have sub-agents, use the client's files and terminals, take
// messages during a turn, continue from an earlier message, ask with forms and pages, show plans
// and progress, send events and requests that belong to no session, use the client's instructions,
// save their sessions themselves, start badly, or make the mistakes that Turnwire repairs. An
// operator changes rules about permissions, revokes clients' tokens, sets the clocks of machines,
// lists the open sessions, and deletes old ones. Clients make mistakes, send what makes no sense,
// and read long lists page by page.
//
// A seed decides everything about a world: its agents and how they behave, its clients,
// and each step. NewPlan derives a Plan from a seed, and Play runs it. Laws are
// checked on every line that a client or an agent sees, and at the end. A world that
// breaks a law can be repeated from its seed, and Shrink makes it smaller.
//
// A seed nearly always has the same story, even in another process: "-sim.stories FOLDER" saves
// the stories, and the second time prints where they differ. Therefore, nothing waits for a
// system call, apart from edits; nothing is collected while a world runs; each connection has its
// own latency, because Go fires the timers of one instant in random order; and what the network
// does to a connection follows from its first request, not from the order of connections. In
// stories, random ids are numbered.
//
// Each law has a file, law_NAME_test.go. A law must never be weakened to let a world pass:
// either Turnwire is wrong, or the law doesn't say what Turnwire promises.
package sim
