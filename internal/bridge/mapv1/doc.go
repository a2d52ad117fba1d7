// Package mapv1 maps well-formed events to updates of ACP version 1.
//
// Everything here is a pure function of a [normalize.Step] and of the client's
// capabilities, without state, input or output. Events without a counterpart in
// the protocol become a notification _turnwire/event, for clients that have
// asked for it; see [Private].
package mapv1
