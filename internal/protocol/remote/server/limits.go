package server

import (
	"cmp"
	"time"
)

// Limits bound the resources that clients can use. Zero fields have defaults.
type Limits struct {
	// Conns is the maximum number of connections. Default: 64.
	Conns int
	// Rate is the sustained number of messages per second that a client may send. It
	// may send bursts of twice as many; beyond that it has to wait. Default: 500.
	Rate int
	// Streams is the maximum number of session streams per connection. Default: 1024.
	Streams int
	// Requests is the maximum number of a client's unanswered requests. Default: 4096.
	Requests int
	// Buffer is the maximum number of bytes queued for a client; a single message may
	// exceed it. Default: 8 MiB.
	Buffer int
	// Stall is how long a client may read nothing. Default: one minute.
	Stall time.Duration
	// Orphan is how long a connection may exist without an open stream, counted from
	// the response to "initialize". A connection that never had a stream is dropped at
	// once if its place is needed. Default: one minute.
	Orphan time.Duration
	// Retain is how long a resumable connection outlives its WebSocket. Default: ten
	// minutes.
	Retain time.Duration
	// Away is the maximum number of a token's resumable connections without a WebSocket.
	// They don't count as connections. Default: 64.
	Away int
	// Heartbeat is the interval of heartbeats to a client. The token of an idle client
	// is checked at the same interval. Default: 15 seconds.
	Heartbeat time.Duration
}

// initialRate is the sustained number of new connections per second.
const initialRate = 20

func (l Limits) withDefaults() Limits {
	l.Conns = cmp.Or(l.Conns, 64)
	l.Rate = cmp.Or(l.Rate, 500)
	l.Streams = cmp.Or(l.Streams, 1024)
	l.Requests = cmp.Or(l.Requests, 4096)
	l.Buffer = cmp.Or(l.Buffer, 8<<20)
	l.Stall = cmp.Or(l.Stall, time.Minute)
	l.Orphan = cmp.Or(l.Orphan, time.Minute)
	l.Retain = cmp.Or(l.Retain, 10*time.Minute)
	l.Away = cmp.Or(l.Away, 64)
	l.Heartbeat = cmp.Or(l.Heartbeat, 15*time.Second)
	return l
}
