// Package protocol carries JSON-RPC 2.0 over lines, one object per line, as the Agent
// Client Protocol requires on stdin and stdout.
//
// [Stream] is the [jsonrpc2.ObjectStream] of a connection, with additional
// guarantees:
//
//   - It accepts any input. The stream itself answers a line that is not JSON (-32700)
//     or not a message (-32600). With jsonrpc2 alone, such a line would end the
//     connection.
//   - Requests and responses are appended to one buffer without ever blocking, so the
//     reader's goroutine may send them.
//   - Updates bypass jsonrpc2. They are appended to the same buffer, but wait while the
//     peer does not read. This is the only back-pressure, and it bounds memory. A
//     caller with many updates waits for room first; see [Stream.AwaitRoom].
//   - One goroutine writes the buffer, in append order.
//
// The types of ACP v1 are in internal/protocol/v1.
package protocol
