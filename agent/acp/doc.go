// Package acp reaches agents that speak version 1 of the Agent Client Protocol
// themselves, so that they can be had like any other.
//
// [Dialect] reads what such an agent writes. [New] makes an agent of a command
// that speaks the protocol on its stdin and stdout, or of a server that speaks it
// over the protocol's remote transport; [NewGlue] does so for
// `glue acp`, which departs from the protocol in the ways that [GlueRepairs]
// names.
//
// # Contract
//
// The agent gets what the editor offered and no more: files through the editor
// where the editor has them, inside the session's directories, and no
// terminal. What the agent asks is asked of the user, and answered with an
// option that the agent offered and the user chose; where nobody chose it is
// told "cancelled". A cancel is answered by us, whatever the agent does with
// it: no request of the agent stays open after it.
//
// One child, or one connection with a server, serves a session. It is started with the session, so that what it
// offers to choose from is known before the first prompt, and again by the
// prompt after its death. A child that does not end a cancelled turn is
// replaced at the next prompt. The user is told where that has cost the
// agent its memory of the conversation.
//
// What can be chosen comes up as the agent offers it, and a choice goes down in
// the same way: as an option, or as the mode or the model of agents that have no
// options. It is set when the agent says so, by an answer or an update.
//
// What is in the content of a tool call replaces what was there before; here
// output is a stream. Content that goes on where the last ended becomes the
// piece that is new, other content takes its place, and the last counts once,
// at the end of the call.
package acp
