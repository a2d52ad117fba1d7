// Package wire decodes the events of AG-UI, the Agent User Interaction Protocol
// (docs.ag-ui.com), version 1.0, and the THINKING events of older releases.
//
// A sub-agent's messages become the output of its call. A run that waits for
// an answer (an interrupt) asks the user if a driver can start the next run with
// the answer, and otherwise ends the turn with a notice. Token counts are
// telemetry: they cover a whole run, not the size of a context. Encrypted values
// are dropped; only the event's name is passed on.
package wire
