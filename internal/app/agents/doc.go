// Package agents is the catalogue of agents by name: the built-in ones, and
// those that a user has configured.
//
// Contract: looking at the catalogue starts nothing that a project's file
// names. Checking whether a server answers sends it no header that may hold a
// secret. An agent is made of what its entry and the command line say. If these
// do not fit together, the result is a [UsageError] or an error of the
// configuration, before anything is started.
package agents
