// Package wire decodes the events of AG-UI, the Agent User Interaction Protocol
// (docs.ag-ui.com), of version 1.0, and the THINKING ones of older releases.
//
// What a sub-agent says is the output of its call. A run that waits for an
// answer (an interrupt) ends the turn with a notice: the answer would begin
// another run. Tokens are counted for a whole run, which is not what fills a
// context: they are telemetry. Of values that are encrypted only the name goes on.
package wire
