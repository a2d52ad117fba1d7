// Package agents is the catalogue of agents by name: those that are built in,
// and those that a user has configured.
//
// Contract: to look at the catalogue starts nothing that a project's file
// names, and to see whether a server answers sends it no header that may hold
// a secret. An agent is made of what its entry says and of what the command
// line adds; what does not fit together is a [UsageError] or an error of the
// configuration, before anything is started.
package agents
