// Command bench compares bridges between an agent and an editor, in one run on
// one machine: Turnwire as it is built from the repository, Turnwire with the
// joining of chunks switched off, a straightforward bridge on a well-kept
// library (peer), and cat, which does nothing but move the bytes.
//
// The agent is a child process of the bridge that prints rendered events
// (child), the editor is this program: it starts the bridge, talks to it over
// real pipes and plays the fastest reader that it can be.
//
//	go run .                          everything
//	go run . -only throughput,start   some parts
//	go run . -who turnwire,peer       some bridges
//
// Contract: a figure that misses its aim is printed as such and fails nothing,
// for machines differ. What fails is what must never happen on any machine: a
// lost, doubled or changed event, a wrong answer, a bridge that hangs. Every
// clock starts after the child has rendered its events and the bridge has been
// through one short turn. Bridges take turns, and the median of the runs is
// shown.
package main
