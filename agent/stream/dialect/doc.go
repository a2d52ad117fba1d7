// Package dialect turns the bytes of an agent into events.
//
// A dialect is declared by a [Table]: where the name of an event and its members
// stand, and a handler for each event, which reads the members of a [Line] and
// emits events. What [Table.Compile] makes of it recognises and decodes lines; see
// [Dialect]. [Pump] reads lines and hands them over in batches
// that are decoded where they are used, so that an event costs no copy, no
// allocation and no hand-over of its own.
//
// Contract: nothing that an agent prints is an error of the stream. A line
// that is no JSON object is skipped and logged; an unknown type becomes
// [agent.Unknown]; a malformed event of a known type is logged with its raw
// bytes and skipped. Only reading itself can fail.
package dialect
