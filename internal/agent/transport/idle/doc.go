// Package idle gives up on agents that say nothing.
//
// It wraps an agent. A turn in which nothing arrives for a set time fails with
// an error that says so, the agent is told to stop, and what it says about the
// turn later is dropped.
//
// Contract: the time runs only while the agent is expected to speak. It does
// not run while the user is asked something, while the editor does not read
// (the agent may be held up by that), nor after a cancel, which has a time
// limit of its own. A time-out for the start holds until the agent has said
// anything in the session, and again after it has failed.
package idle
