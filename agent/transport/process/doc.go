// Package process drives an agent that is a command: it reads events from the
// command's stdout and writes commands to its stdin, one JSON object a line.
//
// # Contract
//
// A session has at most one child at a time. The child is started by the first
// prompt, in the session's directory, and again by the next prompt after it has
// ended or after a turn was abandoned that it has not ended.
//
// The events of a session come through one channel. Decoding is left to whoever
// receives them, so a session does not know whether a turn runs: when its child
// has ended it always says so, with an [agent.Error] of the code [CodeExited]
// behind the child's last event. It is for the receiver to ignore it between
// turns. Nothing of a child that was replaced comes behind the prompt that
// replaced it.
//
// Who does not receive stops the child (its stdout fills), and nothing else:
// commands are queued and written by a goroutine of their own, so that a cancel
// arrives even then, and a child that does not read its stdin blocks nobody.
package process
