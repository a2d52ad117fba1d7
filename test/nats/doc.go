// Package nats tests sessions of several servers with a real NATS server. It is a
// separate module, because that server's dependencies don't concern users.
package nats
