// Package wire decodes what an agent writes that speaks version 1 of the Agent Client
// Protocol: updates, requests to the client, and responses to the client's requests.
//
// Turnwire relays such agents (package relay) and needs no decoder for that. This
// dialect reads recordings of them, and programs that print the protocol's messages.
//
// Contract, beyond that of [dialect.Decoder]:
//
//   - the content of a tool call replaces what was there before; here output is a
//     stream. Content that goes on where the last one ended becomes the piece that is
//     new, other content takes its place, and the last one counts once, at the end of
//     the call;
//   - an option of a permission request is offered only if the protocol has its kind;
//   - a thought that repeats the whole message before it is dropped, and content with
//     the member "schema_version" adds to the content before it: Agentao writes both;
//   - a call may be announced after its permission request, under another id;
//   - stack traces in errors go no further;
//   - what is remembered of a stream is bounded.
package wire
