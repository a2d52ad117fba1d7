// Package toolcall merges a tool call with its updates. It does no I/O.
//
// ACP reports a tool call in pieces: a tool_call, then tool_call_updates, and the
// toolCall of a permission request. A reader that wants the state of the call applies
// them in order. Every part of Turnwire follows the same rules:
//
//   - An absent member leaves the call unchanged. So does null, because version 1 can't
//     unset a member.
//   - Any other value replaces the old one entirely, including lists. An empty list
//     clears the list.
//   - _meta is merged key by key. A key's value is replaced entirely, and null removes
//     the key.
//   - toolCallId and sessionUpdate keep their first value.
//   - An empty title, name, kind or status changes nothing, and neither does a value of
//     the wrong type.
//
// Version 1 doesn't specify how _meta is merged. Version 2 does, and this is its rule
// ("v2 Metadata Patches"). The keys belong to several writers, such as the agent, its
// SDK and proxies like Turnwire. None of them can repeat the others' keys. Zed treats
// version 1 the same way: a key's value stays until the key is sent again. Unlike in
// version 2, null for the whole _meta clears nothing, as for every other member of
// version 1.
//
// Merging is associative, so updates can be merged with each other before they are
// applied to the call. A key removed by null therefore stays in the result as null,
// because the call may still have it. A reader treats it as absent.
//
// [Merge] works on decoded values, [Members] on JSON, and [Changes] on a single member,
// for readers that keep only parts of a call. All give the same result. A call holds at
// most 256 names that ACP doesn't define, so that an agent can't make it grow without
// limit.
package toolcall

// maxMembers bounds the members of a call. Members that ACP defines are always
// accepted.
const maxMembers = 256
