// Package mapv1 maps lawful events to updates of ACP version 1.
//
// Everything here is a pure function of a [track.Step] and of what the client
// can do: no state, no input or output. What the protocol has no place for
// becomes a notification _turnwire/event, for clients that asked for it; see
// [Private].
package mapv1
