// Package config reads turnwire.json, in which users define more agents.
//
// Contract: the file is JSON with comments and trailing commas. Every mistake in it is
// reported as an [Error] that names the file, the line and the key. An unknown key is an
// error too: it may be a misspelt timeout that the user relies on. Values that may be
// secret (headers and environment variables) are of type [Secret], which is never shown
// in a log or an error. Environment variables in them are only looked up when an agent is
// opened.
//
// A project's file is trusted less than the user's own: a cloned repository must not
// change what a name that the user already knows runs. It can add names, but redefining
// an existing name is an error.
package config
