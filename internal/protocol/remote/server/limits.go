package server

import (
	"cmp"
	"time"
)

// Limits bound what clients can cost. What is zero has its default.
type Limits struct {
	// Conns is how many connections there may be at once: 64.
	Conns int
	// Rate is how many messages a client may send in a second, for long: 500. It
	// may send twice as many at once. Then it is made to wait.
	Rate int
	// Streams is how many sessions of a connection may have a stream: 1024.
	Streams int
	// Requests is how many requests of a client may be unanswered: 4096.
	Requests int
	// Buffer is how many bytes wait for a client: 8 MiB, and one message more.
	Buffer int
	// Stall is how long a client may take nothing: a minute.
	Stall time.Duration
	// Orphan is how long a connection lasts that has no stream, from the answer to
	// "initialize" on: a minute. One makes room for a new connection at once.
	Orphan time.Duration
	// Heartbeat is how often a client is sent a sign of life: 15 seconds. The token of
	// a client that sends nothing is checked as often.
	Heartbeat time.Duration
}

// initialRate is how many connections may begin in a second, for long.
const initialRate = 20

func (l Limits) withDefaults() Limits {
	l.Conns = cmp.Or(l.Conns, 64)
	l.Rate = cmp.Or(l.Rate, 500)
	l.Streams = cmp.Or(l.Streams, 1024)
	l.Requests = cmp.Or(l.Requests, 4096)
	l.Buffer = cmp.Or(l.Buffer, 8<<20)
	l.Stall = cmp.Or(l.Stall, time.Minute)
	l.Orphan = cmp.Or(l.Orphan, time.Minute)
	l.Heartbeat = cmp.Or(l.Heartbeat, 15*time.Second)
	return l
}
