// Package workspace is the agent that is built into Turnwire. It has no model
// and uses no network. It runs the lines of a prompt in the session's
// workspace, so that everything that Turnwire can show in an editor can be seen
// without an API key. What it can do is what package tools can do for any agent.
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
// a file that contains "/run" runs nothing. In the mode read-only, which the user
// can choose at any time, nothing is written or run, and the user is not asked.
//
// A cancelled turn ends with a Done event with the stop reason cancelled,
// wherever it waits. No goroutine and no process outlives
// [agent.Session.Close].
package workspace
