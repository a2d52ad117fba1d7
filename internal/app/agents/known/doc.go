// Package known is the table of the agents that users have installed: their names, the
// commands that start them, and the versions that were tested.
//
// Contract: it is data. The package starts nothing, and only [Agent.Find] looks at the
// disk, for programs in PATH. docs/agents.md contains the table; a test compares the two,
// and the tested versions with docs/compatibility.md.
package known
