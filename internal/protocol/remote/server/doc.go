// Package server serves ACP's remote transport: a WebSocket, or HTTP requests and
// server-sent events, on one endpoint.
//
// # Contract
//
// [Handler] creates a [Conn] for each client connection and passes it to a function.
// The function speaks the protocol on it line by line, as it would on stdin and stdout.
// The connection ends when the function returns, and reads from it end when the client
// has gone.
//
// Order. A client's messages are read in the order in which they arrive. Messages to
// the client are written to their stream in order. The order between two streams is
// undefined. A response is therefore sent on the stream of the messages that it must
// follow. The response to session/load must follow the history, so it goes to the
// session's stream if the client reads that by then, or will read it because it can
// resume. The proposal sends it on the connection's stream. A cancellation is sent on
// the stream of the request that it cancels.
//
// Limits. The number of connections, streams and open requests, the size and rate of
// messages, and the data queued for a client are all bounded. A client that reads
// nothing for [Limits].Stall is disconnected; until then the writer waits. So is a
// client without an open stream for [Limits].Orphan. No client affects another.
//
// Resumption. A client that asks for [remote.Resumable] has a connection that outlives
// its WebSocket by [Limits].Retain. Meanwhile the writer waits once a little more is
// queued. Only a caller with the same token can resume it, and revoking the token ends
// it. A client that resumes too late is notified; nothing is lost silently.
//
// Every request gets an HTTP status. A body that is not a message also gets a JSON-RPC
// error. Package guard decides beforehand who may send requests.
package server
