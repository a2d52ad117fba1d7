// Package ahp defines the messages of the Agent Host Protocol that a host needs:
// https://github.com/microsoft/agent-host-protocol. It does no I/O.
//
// A host owns channels. Each channel has a URI and a state. Clients get a snapshot of
// the state, then actions in one order. [Chat.Apply] and [Session.Apply] apply an
// action as every client does. A snapshot is therefore always the result of the actions
// before it.
//
// Absent members are omitted, because the protocol has no null for them.
package ahp
