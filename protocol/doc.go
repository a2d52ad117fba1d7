// Package protocol carries JSON-RPC 2.0 over lines, with one object a line, as
// the Agent Client Protocol requires on stdin and stdout.
//
// [Stream] is the [jsonrpc2.ObjectStream] of a connection, with additional
// guarantees:
//
//   - It can read any input. If a line is not JSON, or is JSON but not a
//     message, the stream itself answers it (-32700, -32600). With jsonrpc2
//     alone such a line would end the connection.
//   - Requests and responses are appended to one buffer without ever blocking,
//     so that the reader's goroutine may answer.
//   - Updates bypass jsonrpc2. They are appended to the same buffer, and
//     wait while the peer does not read. This is the only back-pressure, and it
//     bounds the memory. A caller with many of them waits for room first; see
//     [Stream.AwaitRoom].
//   - One goroutine writes the buffer, in the order of the appends.
//
// Versions of ACP are in packages below this one.
package protocol
