// Package client reaches agents over ACP's remote transport: by a WebSocket, or
// by requests and server-sent events.
//
// # Contract
//
// [Open] returns at once. What is written to the [Conn] is lines, each of which is
// a message; so is what is read. A write waits until the server has taken what
// was written, and for the connection before that. When the connection ends, by
// whomever, reads end, writes fail, and [Conn.Err] says why, in a sentence for
// users that holds no secret.
//
// A lost connection is not made again here: what was on its way is lost, and only
// who knows the sessions can go on with them, on a new one.
//
// Certificates are verified. No redirect is followed, for headers may hold
// secrets that belong to one server. Cookies of the server are kept for the
// connection, as the transport wants it.
package client
