// Package memnats is a model of a NATS server with JetStream. It runs in memory, so it
// works in synctest bubbles, where a real server's sockets and background work would stop
// the clock. Clients connect with the official library, over a [Link] that can fail.
//
// The model has what package natsstore uses: subscriptions and requests; streams with
// limits for each subject and for the age of messages, expected sequence numbers, and
// purging; and pull consumers without acknowledgements. It passes the tests that the real
// server passes in test/nats.
//
// It differs from a real server in that it never forgets a consumer while it runs, sends
// no idle heartbeats, drops expired pull requests without a status, and doesn't tell a
// consumer how many messages are left.
package memnats
