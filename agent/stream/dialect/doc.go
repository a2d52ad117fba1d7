// Package dialect turns the bytes of an agent into events.
//
// A [Dialect] is data and pure functions: how to recognise its first lines,
// and how to decode a line. [Pump] reads lines and hands them over in batches
// that are decoded where they are used, so that an event costs no copy, no
// allocation and no hand-over of its own.
//
// Contract: nothing that an agent prints is an error of the stream. A line
// that is no JSON object is skipped and logged; an unknown type becomes
// [agent.Unknown]; a malformed event of a known type is logged with its raw
// bytes and skipped. Only reading itself can fail.
package dialect
