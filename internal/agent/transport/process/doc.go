// Package process drives an agent that is a command. It reads events from the
// command's stdout and writes commands to its stdin, one JSON object per line.
//
// # Contract
//
// A session has at most one child process at a time, in the session's directory.
// The first prompt starts it, or opening the session does if the child may
// introduce itself ([Config].Greets). The next prompt restarts it if it has
// exited, or if it has not ended an abandoned turn. To learn its capabilities,
// the very first child may be started before the first session, in this process's
// directory; see [agent.Preparer]. If a child can't be started, opening the
// session fails, or the turn ends with an [agent.Error] with the code
// [CodeNotStarted].
//
// A child that introduces itself receives its session, once in its life. Events
// about a turn that arrive before the first prompt wait for it. If a new child
// replaces one that held the conversation, an [agent.Notice] says so.
//
// When a child has exited, even between turns, an [agent.Error] with the code
// [CodeExited] follows its last event. Receivers should ignore it between turns.
// No event of an abandoned turn is delivered, nor any event of a child that was
// replaced.
//
// A receiver that stops receiving blocks the child (its stdout fills), and
// nothing else: commands are queued, so that a cancel still arrives. A child that
// does not read its stdin blocks nobody.
package process
