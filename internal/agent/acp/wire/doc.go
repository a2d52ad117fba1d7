// Package wire decodes the output of agents that speak version 1 of the Agent Client
// Protocol: updates, requests to the client, and responses to the client's requests.
//
// Turnwire relays such agents without a decoder (package relay). This dialect is for
// recordings of them, and for programs that print the protocol's messages.
//
// In addition to the contract of [dialect.Decoder]:
//
//   - In the protocol, the content of a tool call replaces earlier content; here,
//     output is a stream. Content that extends the last content becomes a piece with
//     the new part. Other content replaces it. The final content counts once, at the
//     end of the call.
//   - An option in a permission request is offered only if the protocol defines its
//     kind.
//   - A thought that repeats the whole preceding message is dropped. Content with the
//     member "schema_version" is appended to earlier content. Agentao sends both.
//   - A call may be announced after its permission request, under another id.
//   - Stack traces in errors are removed.
//   - The state of a stream is bounded.
package wire
