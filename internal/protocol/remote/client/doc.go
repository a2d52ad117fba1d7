// Package client connects to agents over ACP's remote transport: by WebSocket, or by
// HTTP requests and server-sent events.
//
// # Contract
//
// [Open] returns at once. Both directions of a [Conn] carry lines that each contain one
// message. A write waits for the connection, and then until the server has accepted the
// message. When either side ends the connection, reads end, writes fail, and [Conn.Err]
// returns the reason. Its text is meant for users and contains no secret.
//
// With [Config].Resume, a connection survives interruptions if the server supports that
// ([remote.Resumable], or resumable streams over HTTP): each message arrives exactly once,
// in order, however often the network fails. A write then only waits while too much is
// queued. A server that no longer has the connection ends it with a [ResetError].
//
// Any other lost connection is not restored. Messages in flight are lost, and only a
// caller that knows the sessions can continue them on a new connection.
//
// Certificates are verified. Redirects are not followed, because headers may contain
// secrets meant for one server. The server's cookies are kept for the connection, as
// the transport requires.
package client
