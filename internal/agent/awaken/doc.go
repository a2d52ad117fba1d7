// Package awaken reaches agents of Awaken (seed 002), a Rust framework whose
// server streams its AgentEvents over HTTP. Package wire decodes those.
//
// [New] makes an agent of a server. A turn is a run: POST /v1/runs answers with
// a stream that ends when the run does, or when it is suspended. What follows a
// decision is read from the server's event store (its list of the run's facts,
// then its stream of them, each after the last cursor); so is what was missed
// when a connection broke. The run's record and its thread are looked at beside
// it: servers need not keep events, and stores keep no text and commit the end
// of a run late. What they say is told once. An older server takes decisions at
// /inputs and goes on in the same stream.
//
// Contract: no turn leaves a run that works, or waits, unseen. Closing a
// stream does not stop a run, so whatever way a turn ends before its run, the
// run is cancelled, and what it waits for is refused. Consent is what the
// user gave, once: the server remembers no more than that, and no more is
// offered.
package awaken
