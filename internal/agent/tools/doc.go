// Package tools is the set of tools that Turnwire offers to agents without
// tools: reading, searching, editing and running in the session's folders, questions
// and plans. [All] lists them, with descriptions and schemas for models.
//
// # Contract
//
// A [Box] runs the tools of one session. Each call appears as a tool call of the agent,
// with events like those of an agent that has the tool itself: the bridge applies the
// user's rules, the audit log and consent to it in the same way.
//
// If the editor can read and write files, the tools use it, because the editor knows
// unsaved buffers. Otherwise they use the disk. Either way, the place of a path is where
// it leads with all symbolic links resolved, and only regular files are read or written.
// The disk is accessed only through [os.Root], so that a directory that is replaced in the
// meantime leads nowhere else. A command runs in a terminal of the editor if it has any,
// and otherwise as a child of Turnwire.
//
// Reading in the session's working directory and additional directories needs no
// permission. Reading elsewhere does, and until it is given, the agent doesn't learn what
// exists there; [Limits] can forbid it. Nothing is written or run before the user has
// allowed it.
// "Allow always" applies to one tool and one target in one session. The text that was
// shown as a diff is the text that is written, without the changes that the user refused: a
// file that has changed in the meantime is left alone.
//
// Arguments come from a model and may be anything: a mistake in them is a failed call,
// whose result tells the model what to correct. Results are bounded. A call ends soon
// after its turn is cancelled, and leaves no process behind.
package tools
