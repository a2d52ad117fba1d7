// Package policy decides in place of the user which tool calls may run, by rules
// that the user has written beforehand.
//
// A [Rule] names a kind of call as ACP has it (read, edit, delete, move, search,
// execute, think, fetch, switch_mode, other, or * for all), alone or with what
// it is about after a colon:
//
//	read                every call that reads
//	edit:src/**         edits of files below src in the session's folder
//	execute:git log *   commands that begin so
//
// A pattern of paths is one of doublestar: * stays within a folder, ** does not.
// It is relative to the session's folder, and never matches what is outside of
// it, nor what a symbolic link leads out of it; an absolute pattern matches any
// path. A rule that allows must match every path of the call, and a call that
// names none is not allowed by it, nor is a command by the paths that it is about;
// for all other rules one path is enough.
//
// A pattern of commands is the whole command, or its beginning and a *. For a rule
// that allows, what the * stands for holds no character that a shell gives a meaning
// to, so that no second command hides in it. All other rules match every simple
// command of a command line, as a shell splits it. A call that names no command is
// matched by neither.
//
// A rule may name a tool, an agent, a session and a folder besides. All of them
// must match, and what an agent does not say matches nothing.
//
// The first rule that matches decides. A folder's own policy can make that
// stricter, never milder: see [Narrowed]. The rules trust what the agent says of a
// call: they are no sandbox.
package policy
