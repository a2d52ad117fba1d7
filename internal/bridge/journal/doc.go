// Package journal saves sessions. A session is a sequence of numbered records, which
// are appended as things happen and never changed.
//
// # Contract
//
// The state of a session is a fold of its records, starting with number 1. A state at
// any number, together with the records after it, is therefore equivalent to the whole
// session.
//
// At most one process owns a session and appends to it. Everyone may read it, even
// while it is written. The caller of Append passes the number that it expects for the
// first record, so a writer that missed something finds out.
//
// When Append has returned, the records survive the death of the process. When Sync has
// returned, they survive the death of the machine. If the store is on another machine,
// they survive the death of the process once a [Settler]'s Settle has returned;
// [Recorders] waits for that.
//
// Unreadable data causes an error that names the file, and is left unchanged. Only an
// incomplete end of a file, left by a crash, is removed by its next owner.
//
// # Files
//
// [Folder] is the store on this machine. A session is a file of lines: a [Header],
// followed by one [Record] per line.
//
//	<folder>/<hash of agent and cwd>/<id>.jsonl   the records
//	<folder>/<hash of agent and cwd>/<id>.title   the title, for lists
//	<folder>/<hash of agent and cwd>/<id>.lock    while somebody owns it
//
// The files contain everything that the user and the agent said, including secrets.
// Only the user can read them.
package journal
