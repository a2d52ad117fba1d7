// Package wire decodes the AgentEvents of Awaken.
//
// A line may contain an event in three forms:
//
//   - the current form: "event_type" with the fields next to it;
//   - the older form: "type", the fields under "data", and an
//     envelope around them (run_id, thread_id, seq, timestamp_ms, step_id), of
//     which everything but the type may be missing;
//   - a fact from the server's event store: "event_kind", with the event in its
//     current form under "payload".
//
// The decoder handles what is specific to this dialect. It knows which call a
// suspension is about. It knows that a resumed call ends with the value that it is
// resumed with (current form), or runs again (older form). It drops a fact that
// repeats the previous one. A suspended run has not ended while a decision is
// possible, and a resumed run continues in the same turn.
//
// A driver passes in its own [State]. The state reports each change of the [Run].
// It also recognises facts that repeat the run's stream, which yield nothing.
package wire
