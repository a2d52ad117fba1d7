// Package durable is a client of "turnwire serve" whose sessions survive the connection.
//
// # Contract
//
// A [Conn] forwards lines between a client and a server, in both directions and in order.
// It changes nothing else, as long as the server lives:
//
//   - A broken network is repaired below it, by package client. Open requests stay open,
//     and nothing is lost or repeated. If that takes more than a moment, the client is
//     told once, and once more when the connection is back.
//   - A prompt that is cancelled meanwhile is answered as cancelled after a few seconds,
//     because the server can't. The cancel reaches the server later, and an answer to a
//     permission request that the server has not received yet becomes a refusal. That also
//     holds if the server has dropped the connection by then.
//   - If the server was restarted, everything that was open ends visibly: tool calls fail,
//     turns end with an error, prompts with one whose data.code is "interrupted", and the
//     server's requests are withdrawn. Then the sessions are resumed on the new server,
//     and the client goes on as if nothing had happened. Requests that only open or list
//     something are sent again, and so is a prompt that never left this process, unless an
//     earlier turn of its session was interrupted.
//
// A server that can't resume connections is used without all this: its connection ends
// once it is lost.
//
// # Concurrency
//
// One goroutine reads the server, one the client's lines, and one writes to the client.
// One mutex guards the state; it is not held while anything blocks.
package durable
