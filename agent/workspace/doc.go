// Package workspace is the agent that is built into Turnwire. It has no model
// and uses no network: it does what the lines of a prompt tell it to do, for
// real, in the session's workspace. Everything that Turnwire can carry to an
// editor can so be seen without a key.
//
// # What it does
//
// A line that starts with a slash and a word is a step; the steps of a prompt
// run one after the other. The table in commands.go lists them. A prompt
// without a step is answered with what the workspace holds. A step that fails
// or is refused does not end the turn: the last message counts them.
//
// # Contract
//
// Steps come from what the user typed, never from what is attached to the
// prompt: a file that holds "/run" runs nothing.
//
// Files are read and written through the editor where it offers that, because
// it knows the buffers that are not saved, else on the disk. Either way a path
// must lie in the session's working directory or in an additional directory
// after every symbolic link in it is resolved, and must be a regular file. The
// disk is only touched through [os.Root], which holds that rule also against a
// directory that is exchanged meanwhile.
//
// Nothing is written or run before a user has allowed it. "Allow always"
// holds for one tool and one target in one session. What was shown as a diff
// is what is written: a file that changed meanwhile is left alone. In the mode
// read-only, which the user can choose at any time, nothing is written or run
// and nobody is asked.
//
// A cancelled turn ends with a Done event whose reason is cancelled, wherever
// it waits. No goroutine and no process outlives [agent.Session.Close].
package workspace
