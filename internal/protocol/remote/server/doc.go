// Package server serves ACP's remote transport: a WebSocket, or requests and
// server-sent events, on one endpoint.
//
// # Contract
//
// [Handler] makes a [Conn] of each connection of a client and gives it to a
// function, which speaks the protocol on it line by line, as it would on stdin
// and stdout. The connection ends when that function returns; and the function's
// reads end when the client has gone.
//
// Order. What a client sends is read in the order in which it arrives. What is
// written goes to the stream it belongs to in its order. Nobody can keep the order
// of what goes to two streams. So an answer goes where that which it follows went:
// that to session/load, after the history, to the session's stream, if the client
// reads it by then. The proposal has it on the connection's. A request is taken
// back where it was made.
//
// Bounds. The number of connections, of streams, and of open requests, the size of
// a message and the rate of messages are bounded, and so is what waits for a
// client. A client that takes nothing for [Limits].Stall is given up; until then
// the writer waits. So is one that has no stream open for [Limits].Orphan. None
// of it costs another client anything.
//
// Every request is answered with a status, and what is no message with an error
// of JSON-RPC. Who may send requests is decided before: see package guard.
package server
