// Package config reads turnwire.json, in which a user names further agents.
//
// Contract: the file is JSON in which comments and trailing commas are welcome.
// Whatever is wrong in it is an [Error] that names the file, the line and the
// key: a key that nobody knows is never passed over, for it may be a time-out
// that somebody relies on. What may be secret (the values of headers and of
// the environment) is a [Secret], which no log and no error shows; it becomes
// text only where an agent is opened, and only then are the environment
// variables that it names looked up.
//
// A file in a project is not trusted like the user's own: a repository that
// somebody clones must not choose what a name runs that they know. It can add
// names, and it is an error where it takes one that exists.
package config
