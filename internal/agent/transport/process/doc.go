// Package process drives an agent that is a command: it reads events from the
// command's stdout and writes commands to its stdin, one JSON object a line.
//
// # Contract
//
// A session has at most one child at a time. The child is started in the
// session's directory by the first prompt, or with the session where it may
// introduce itself ([Config].Greets), and again by the next prompt after it has
// ended or after a turn was abandoned that it has not ended. The first child of
// all may be started before the first session, in the directory of this process,
// to learn what it takes; see [agent.Preparer]. One that cannot be started is the
// error of the session, or ends the turn with an [agent.Error] of the code
// [CodeNotStarted].
//
// A child that introduces itself is told of its session, once in its life. What
// a child says of a turn before the first prompt waits for that. Where one takes
// the place of another that took the conversation with it, that is said with an
// [agent.Notice].
//
// When a child has ended, also between turns, that is said with an
// [agent.Error] of the code [CodeExited] after the child's last event. It is for
// the receiver to ignore it between turns. Nothing is heard of a turn after it
// was abandoned, nor of a child once another has taken its place.
//
// A receiver that stops receiving stops the child (its stdout fills), and
// nothing else: commands are queued, so that a cancel arrives even then, and a
// child that does not read its stdin blocks nobody.
package process
