// Package dialect decodes an agent's output into events.
//
// A [Table] declares a dialect: where to find an event's name and its members, and
// a handler for each event, which reads the members of a [Line] and emits events.
// [Table.Compile] builds the decoder; see [Dialect]. [Pump] reads lines and
// delivers them in batches. The receiver decodes the batches, so an event costs no
// copy, no allocation and no channel operation.
//
// Nothing that an agent prints makes the stream fail. A line that is not a JSON
// object is skipped and logged. An unknown type becomes [agent.Unknown]. A
// malformed event of a known type is skipped and logged with its raw bytes. Only
// the reader can fail.
package dialect
