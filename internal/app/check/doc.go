// Package check says what is wrong with an agent, or with a stream of events.
//
// [Stream] reads a stream, and [Agent] runs a command through a script of turns:
// a prompt, a cancel in the middle, a confirmation that is refused, the end of
// stdin. Both tell findings as they come (package lint has the rules), and a
// [Report] writes them: for people, as lines of JSON, or as SARIF.
//
// Contract: what the agent prints may be anything. A turn takes no longer than
// its limit, and nothing of the agent is left when [Agent] returns. What could
// not be checked is a note, and never silently left out.
package check
