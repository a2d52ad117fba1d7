// Package partial lets the user accept a part of a file change for an agent that writes files
// by itself.
//
// # Contract
//
// An agent that gets an "allow" may write everything, so it never gets one: its own option
// that rejects the call is chosen. Turnwire writes the accepted text if the file is still the
// one in the diff, and tells the agent what it wrote and what the user refused.
//
// A source offers the choice with [Offer], which decides whether a request qualifies. Package
// core decides whether an answer is valid, as for Turnwire's own tools. Then the source calls
// [Write]. If that succeeds, it shows [Call] and [Message] to the user, and sends the latter
// to the agent, at the latest with its next prompt.
package partial
