// Package workspace is the agent that is built into Turnwire. It has no model
// and uses no network. It runs the lines of a prompt in the session's
// workspace, so that everything that Turnwire can show in an editor can be seen
// without an API key.
//
// # Steps
//
// A line that starts with a slash and a word is a step. The steps of a prompt
// run one after the other. The table in commands.go lists them. The answer to a
// prompt without steps describes the workspace. A step that fails or is refused
// does not end the turn: the last message counts them.
//
// # Contract
//
// Steps come only from the text that the user typed, never from an attachment:
// a file that contains "/run" runs nothing.
//
// If the editor can read and write files, the agent uses it, because the editor
// knows unsaved buffers. Otherwise it uses the disk. Either way, with all
// symbolic links resolved, a path must lead to a regular file in the session's
// working directory or in an additional directory. The disk is accessed only
// through [os.Root], which enforces that rule even if a directory is replaced
// in the meantime. A command runs in a terminal of the editor if it has any,
// and otherwise as a child of Turnwire.
//
// Nothing is written or run before the user has allowed it. "Allow always"
// applies to one tool and one target in one session. The text that was shown as
// a diff is the text that is written: a file that has changed in the meantime
// is left alone. In the mode read-only, which the user can choose at any time,
// nothing is written or run, and the user is not asked.
//
// A cancelled turn ends with a Done event with the stop reason cancelled,
// wherever it waits. No goroutine and no process outlives
// [agent.Session.Close].
package workspace
