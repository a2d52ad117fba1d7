// Package scaffold writes a new agent: a folder with a working program, the emitter
// library of its language if there is one, and a check for the agent.
//
// Contract: nothing is overwritten. The folder must be empty or not exist. If something
// fails, the written files are removed again.
package scaffold
