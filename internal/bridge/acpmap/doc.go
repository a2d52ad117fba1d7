// Package acpmap maps well-formed events to updates of ACP version 1.
//
// Everything here is a pure function of a [normalize.Step] and the client's
// capabilities. Events without a counterpart in ACP become _turnwire/event
// notifications, for clients that asked for them; see [Private].
package acpmap
