// Command bench compares bridges between an agent and an editor, in one run on one
// machine: Turnwire as built from the repository, Turnwire without joining of chunks, a
// straightforward bridge based on a well-maintained library (peer), and cat, which only
// copies bytes.
//
// The agent is a child process of the bridge that prints pre-rendered events (child).
// This program is the editor: it starts the bridge, talks to it over real pipes, and
// reads as fast as it can.
//
//	go run .                          everything
//	go run . -only throughput,start   some parts
//	go run . -who turnwire,peer       some bridges
//
// Contract: a figure that misses its aim is printed as such and is not a failure, because
// machines differ. Failures are only what must never happen on any machine: a lost,
// duplicated or changed event, a wrong response, or a bridge that hangs. Every clock
// starts after the child has rendered its events and the bridge has completed one short
// turn. Bridges take turns, and the table shows the median of the runs.
package main
