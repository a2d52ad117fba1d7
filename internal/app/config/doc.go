// Package config reads turnwire.json, in which a user names further agents.
//
// Contract: the file is JSON with comments and trailing commas. Every mistake
// in it is an [Error] that names the file, the line and the key. An unknown key
// is an error too, because it may be a misspelt time-out that the user relies
// on. Values that may be secret (those of headers and of the environment) are
// of type [Secret], which no log and no error shows. They become text only when
// an agent is opened, and only then are the environment variables that they
// name looked up.
//
// A file in a project is not trusted like the user's own: a cloned repository
// must not change what a name runs that the user knows. It can add names, but
// it is an error if it uses one that exists.
package config
