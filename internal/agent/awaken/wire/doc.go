// Package wire decodes the AgentEvents of Awaken (seed 002).
//
// There are three ways in which a line may hold an event:
//
//   - its head form: "event_type" and the fields beside it;
//   - its older form, that of the seed: "type", the fields under "data", and an
//     envelope around them (run_id, thread_id, seq, timestamp_ms, step_id), of
//     which everything but the type may be missing;
//   - a fact of the server's event store: "event_kind" and the event, in its
//     head form, under "payload".
//
// The decoder knows what only this dialect can know: which call a suspension is
// about, that a resumed call ends with what it is resumed with (head) or runs
// again (older), that a fact may repeat the one before it, that a run which is
// suspended has not ended while somebody can still decide. A run that is
// resumed goes on in the same turn.
//
// A driver decodes with a [State] of its own. The state reports each change of the
// [Run]. It also knows which facts repeat what the run's stream has said: those
// yield nothing.
package wire
