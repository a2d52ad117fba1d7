// Package toolcall merges a tool call with its updates. It is pure.
//
// ACP reports a tool call in pieces: a tool_call, then tool_call_updates, and
// the toolCall of a permission request. A reader that wants the state of the
// call applies them in order. Every part of Turnwire follows one rule:
//
//   - An absent member leaves the call as it is. So does null: version 1 can't
//     unset a member.
//   - Any other value replaces the old one whole, lists included. An empty list
//     clears the list.
//   - _meta is merged key by key. A key's value is replaced whole, and null
//     removes the key.
//   - toolCallId and sessionUpdate stay as they were first.
//   - An empty title, name, kind or status changes nothing, and neither does a
//     value of the wrong type.
//
// Version 1 doesn't say how _meta is merged. Version 2 does, and this is its
// rule ("v2 Metadata Patches"): the keys belong to several writers, such as the
// agent, its SDK and proxies like Turnwire, and none of them can repeat the
// keys of the others. Zed reads version 1 the same way: what it got from a key
// stays until the key comes again. Unlike in version 2, null for the whole
// _meta clears nothing, as for every other member of version 1.
//
// Merging is associative, so updates can be merged with each other before they
// reach the call. That is why a key that null has removed stays in the result
// as null: the call may still have it. A reader treats it as absent.
//
// [Merge] works on decoded values, [Members] on JSON, and [Changes] on a single
// member, for readers that keep only parts of a call. All give the same result.
// A call takes at most 256 names that the protocol doesn't define, so that an
// agent can't grow it without limit.
package toolcall

// maxMembers bounds the members of a call. Those that the protocol defines are
// always taken.
const maxMembers = 256
