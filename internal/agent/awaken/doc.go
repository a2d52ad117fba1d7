// Package awaken connects to agents of Awaken, a Rust framework
// whose server streams its AgentEvents over HTTP. Package wire decodes those.
//
// [New] returns an agent for a server. A turn is a run: the response to POST
// /v1/runs is a stream that ends when the run ends or is suspended. Events
// after a decision are read from the server's event store: first the list of
// the run's facts, then the stream of new ones, each after the last cursor.
// Events that were missed when a connection broke are read the same way. The
// driver also polls the run's record and its thread, because servers need not
// store events, and stores keep no text and commit the end of a run late. It
// reports their content once. An older server accepts decisions at /inputs and
// continues in the same stream.
//
// No turn leaves behind a run that works or waits. Closing a stream does not
// stop a run. So if a turn ends before its run, in any way, the run is
// cancelled, and its pending requests are refused. Consent applies once, to
// what the user allowed: the server remembers nothing longer, so nothing longer
// is offered.
package awaken
