// Package ahp has the messages of the Agent Host Protocol, as far as a host needs
// them: https://github.com/microsoft/agent-host-protocol. It is pure.
//
// A host owns channels, each of which has a URI and a state. Clients get a snapshot
// of the state, then actions in one order. [Chat.Apply] and [Session.Apply] are what
// every client does with an action, so a snapshot is always what the actions before
// it have made.
//
// Members that are absent are left out: the protocol has no null for them.
package ahp
