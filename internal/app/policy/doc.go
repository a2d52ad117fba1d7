// Package policy decides for the user which tool calls may run, by rules that the user
// wrote beforehand.
//
// A [Rule] names a kind of call as defined by ACP (read, edit, delete, move, search,
// execute, think, fetch, switch_mode, other, or * for all). The kind may be followed by a
// colon and a pattern:
//
//	read                every call that reads
//	edit:src/**         edits of files below src in the session's folder
//	execute:git log *   commands that begin with "git log "
//
// Path patterns use the doublestar syntax: * stays within a folder, ** does not. A
// relative pattern is relative to the session's folder. It never matches anything outside
// that folder, not even through a symbolic link. An absolute pattern matches any path. A
// rule that allows must match every path of the call. It allows neither a call without
// paths, nor a command because of its paths. For all other rules, one matching path is
// enough.
//
// A command pattern is either a whole command, or its beginning and a *. In a rule that
// allows, the * matches no characters that are special to a shell, so that it can't hide
// a second command. All other rules match every simple command of a command line, as a
// shell splits it. A call without a command matches neither.
//
// A rule may also name a tool, an agent, a session and a folder. All of them must match,
// and a member that the agent doesn't send matches nothing.
//
// The first rule that matches decides. A folder's own policy can only make that stricter:
// see [Narrowed]. The rules trust the agent's description of a call: they are not a
// sandbox.
package policy
