// Package nats tests the sessions of several servers with a real server of NATS. It
// is a module of its own: what that server needs is no concern of a user's.
package nats
