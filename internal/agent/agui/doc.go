// Package agui is the driver for servers that speak AG-UI, the Agent User Interaction
// Protocol (docs.ag-ui.com), version 1.0. Package wire decodes their events, and package
// thread keeps the conversation.
//
// A run is a POST request with the whole conversation, and the response is a stream of
// server-sent events. A run that needs an answer ends, and the next run carries it. A
// turn is thus one or more runs. Closing the stream is the only way to cancel a run.
// What a cancelled run asked for is cancelled at the next prompt, by a separate run:
// the server can't be told before, because that would let the agent continue.
package agui
