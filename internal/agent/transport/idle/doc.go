// Package idle gives up on silent agents.
//
// It wraps an agent. If nothing arrives for a set time during a turn, the turn
// fails with an error that says so, the agent is told to stop, and its later
// events in that turn are dropped.
//
// The timer runs only while the agent is expected to send something. It stops
// while the user is being asked, while the editor does not read (which may
// block the agent), and after a cancel, which has its own time limit. The
// start timeout applies until the agent's first output in the session, and again
// after the agent failed.
package idle
