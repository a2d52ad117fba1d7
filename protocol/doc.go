// Package protocol carries JSON-RPC 2.0 over lines: one object a line, as the
// Agent Client Protocol wants it on stdin and stdout.
//
// [Stream] is the [jsonrpc2.ObjectStream] of a connection, and more than that:
//
//   - What it reads may be anything. A line that is not JSON, or JSON that is
//     no message, is answered by the stream itself (-32700, -32600) and never
//     ends the connection, which jsonrpc2 alone would.
//   - Requests and responses are appended to one buffer without ever blocking,
//     so that the goroutine that reads may answer.
//   - Requests of the peer go to their handler past jsonrpc2, with their params
//     as the peer wrote them; see [Stream.Connect].
//   - Updates are appended to the same buffer, past jsonrpc2, and wait while
//     the peer does not read: the only back-pressure there is, and the bound on
//     memory.
//   - One goroutine writes. What was appended first is written first.
//
// Versions of ACP are in packages below this one.
package protocol
