// Package jsonrpc implements a JSON-RPC 2.0 client for agents that exchange
// lines.
//
// # Contract
//
// One goroutine reads, in [Conn.Read]. It passes every line to a [Handler], in
// order: requests, notifications, and responses that no [Conn.Call] waits for.
// If the handler blocks, the agent blocks. Outgoing messages are queued in an
// outbox, and sending never blocks. A line that is not a message is only logged,
// because agents write logs to stdout.
//
// # Why not jsonrpc2
//
// Package protocol serves editors with github.com/sourcegraph/jsonrpc2. As a
// client, jsonrpc2 would break guarantees that sessions give:
//
//   - It hands a response to a waiting goroutine, and reads on. In 1996 of 2000
//     tries, the handler got the notification after a response before the waiter
//     got the response. Here, a session's id is known before the next line is
//     handled.
//   - The stream of package protocol answers lines that are not messages, as an
//     editor's peer must. An agent that logs to stdout would receive a parse
//     error for each line.
//   - A permission that was written to it can't be withdrawn. Here, a cancel
//     turns a permission into a refusal if the agent has not begun to read it.
//   - It keeps nothing of an overlong request, and so can't refuse it.
package jsonrpc
