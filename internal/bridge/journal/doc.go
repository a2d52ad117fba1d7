// Package journal keeps sessions: each one is a sequence of numbered records,
// which are appended as things happen and never changed.
//
// # Contract
//
// The state of a session is a fold of its records, from 1. So a state at any
// number, with the records that follow it, is the session.
//
// At most one process owns a session and appends to it. Everyone may read it,
// also while it is written. Append is told which number the caller expects the
// first record to get, so a writer that has missed something finds out.
//
// When Append has returned, the records survive the death of the process, and
// when Sync has returned, that of the machine. Where the store is another machine,
// they survive the death of the process when Settle of a [Settler] has returned;
// [Recorders] waits for that.
//
// What cannot be read is an error that names the file, and is left as it is. Only
// the end of a file that a death has cut off is removed, by its next owner.
//
// # Files
//
// [Folder] is the store of this machine. A session is a file of lines: a
// [Header], and then one [Record] a line.
//
//	<folder>/<hash of agent and cwd>/<id>.jsonl   the records
//	<folder>/<hash of agent and cwd>/<id>.title   the title, for lists
//	<folder>/<hash of agent and cwd>/<id>.lock    while somebody owns it
//
// The files hold what the user and the agent have said, secrets included. They
// are readable by their user alone.
package journal
