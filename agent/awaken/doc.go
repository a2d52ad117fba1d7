// Package awaken reaches agents of Awaken (seed 002), a Rust framework whose
// server streams its AgentEvents over HTTP.
//
// # The dialect
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
// # The driver
//
// [New] makes an agent of a server. A turn is a run: POST /v1/runs answers with
// a stream that ends when the run does, or when it is suspended. What follows a
// decision is read from the server's event store (its list of the run's facts,
// then its stream of them, each behind the last cursor); so is what was missed
// when a connection broke. An older server takes decisions at /inputs and goes
// on in the same stream.
//
// Contract: a turn leaves no run behind that works, or waits, unseen. Closing a
// stream does not stop a run, so whatever way a turn ends before its run, the
// run is cancelled, and what it waits for is refused. Consent is what the
// person gave, once: the server remembers no more than that, and no more is
// offered.
package awaken
