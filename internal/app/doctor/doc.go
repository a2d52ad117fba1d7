// Package doctor looks whether an agent can work in the editors of a machine,
// and says what to do where it cannot.
//
// Contract: it changes nothing. It starts what the user asks about, which is
// this program with an agent for one turn, in a folder of its own, in which
// nothing is allowed; and it asks programs that settings of editors name for
// their version, if they are called turnwire. Each thing that was looked at is
// one [Finding].
package doctor
