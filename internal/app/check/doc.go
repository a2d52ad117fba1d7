// Package check finds mistakes in an agent, or in a stream of events.
//
// [Stream] reads a stream. [Agent] runs a command through a script of turns: a prompt, a
// cancel in the middle, a refused confirmation, a message during a turn, and EOF on
// stdin. Both report findings as they occur (the rules are in package lint). A [Report]
// writes them for people, as JSON lines, or as SARIF.
//
// Contract: the agent may print anything. A turn never exceeds its time limit, and no
// process of the agent is left when [Agent] returns. Anything that could not be checked
// is reported as a note, never silently skipped.
package check
