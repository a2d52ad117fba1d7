// Package jsonrpc is the client of an agent that speaks JSON-RPC 2.0 over lines.
//
// # Contract
//
// One goroutine reads, in [Conn.Read]. It gives every line to a [Handler], in
// order: requests, notifications, and those answers that no [Conn.Call] waits
// for. The handler may wait, which stops the agent. What is sent is queued in an
// outbox and never waits. A line that is no message is logged and nothing more:
// agents log to their stdout.
//
// # Why not jsonrpc2
//
// Editors are served through github.com/sourcegraph/jsonrpc2, as package
// protocol has it. In the role of a client it would cost guarantees that
// sessions give:
//
//   - It hands an answer to a waiting goroutine, and reads on. In 1996 of 2000
//     tries the handler had got to the notification after an answer before the
//     waiter got to the answer. Here a session's id is known before the line
//     after the one that names it.
//   - The stream of package protocol answers what is no message, as an editor's
//     peer must. An agent that logs to its stdout would get a parse error for
//     each line.
//   - A permission that was written to it cannot be taken back. A cancel makes a
//     refusal of one that the agent has not begun to read.
//   - Of an overlong request it keeps nothing, and so cannot refuse it.
package jsonrpc
