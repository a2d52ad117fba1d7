// Package agents is the catalogue of named agents: the built-in ones, and those that a
// user configured.
//
// Contract: inspecting the catalogue never starts a program that only a project's file
// names. Checking whether a server responds sends it no header that may contain a secret.
// An agent is built from its entry and the command line. If these don't fit together, the
// result is a [UsageError] or a configuration error, before anything is started.
package agents
