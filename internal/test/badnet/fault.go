package badnet

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A Fault is what happens to a connection.
type Fault uint8

// The faults.
const (
	// Refuse closes the connection at once.
	Refuse Fault = iota
	// Stall forwards nothing for a while, and then continues.
	Stall
	// BlackHole forwards nothing any more. Both sides learn that only after half a minute.
	BlackHole
	// EarlyDrop closes the connection in the middle of the handshake, or soon after.
	EarlyDrop
	// Drop closes the connection.
	Drop
	// HalfClose ends one direction. What its sender writes after that is lost.
	HalfClose
	// Delay holds back each piece of data, so that other connections overtake this one.
	Delay

	faults  // their number
	noFault // the network is calm
	names   = "refused stalled black-holed dropped-early dropped half-closed delayed"
)

// Counts has the number of each fault.
type Counts [faults]int

// String implements [fmt.Stringer].
func (c Counts) String() string {
	var list []string
	for i, name := range strings.Fields(names) {
		list = append(list, fmt.Sprintf("%d %s", c[i], name))
	}
	return strings.Join(list, ", ")
}

const (
	// meanwhile is the longest time before a fault.
	meanwhile = 12 * time.Second
	// longStall is the longest stall.
	longStall = 40 * time.Second
	// expiry is when a router forgets a connection that it no longer forwards.
	expiry = 30 * time.Second
	// longDelay is the longest delay of a piece of data.
	longDelay = 300 * time.Millisecond
)

// A fate is a connection's next fault.
type fate struct {
	fault Fault
	after time.Duration
	last  time.Duration // how long it lasts, if it ends
	way   way           // the direction that is closed
}

// random returns a generator. Everything about it follows from the two numbers.
func random(seed, more uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, more)) //nolint:gosec // it only has to be repeatable
}

// fate chooses the next fault of a connection.
func (p *Proxy) fate(r *rand.Rand) (f fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.isCalm() {
		return fate{fault: noFault}
	}
	f.after = time.Duration(r.Int64N(int64(meanwhile)))
	f.fault = p.faults[r.IntN(len(p.faults))]
	switch f.fault {
	case Stall, Delay:
		f.last = time.Duration(r.Int64N(int64(longStall)))
	case BlackHole:
		f.last = expiry
	case EarlyDrop:
		f.after /= 1000
	case HalfClose:
		f.way = way(r.IntN(2))
	}
	p.counts[f.fault]++
	return f
}

// latency chooses the latency of one direction of a connection.
func (p *Proxy) latency(r *rand.Rand) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lag == 0 {
		return 0
	}
	return 1 + time.Duration(r.Int64N(int64(p.lag)))
}
