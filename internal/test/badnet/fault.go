package badnet

import (
	"fmt"
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

// fate chooses the next fault of a connection.
func (p *Proxy) fate() (f fate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.calm:
		if p.refuse {
			return fate{fault: Refuse}
		}
		return fate{fault: noFault}
	default:
	}
	f.after = time.Duration(p.random.Int64N(int64(meanwhile)))
	f.fault = p.faults[p.random.IntN(len(p.faults))]
	switch f.fault {
	case Stall, Delay:
		f.last = time.Duration(p.random.Int64N(int64(longStall)))
	case BlackHole:
		f.last = expiry
	case EarlyDrop:
		f.after /= 1000
	case HalfClose:
		f.way = way(p.random.IntN(2))
	}
	p.counts[f.fault]++
	return f
}

// delay chooses how long to hold back a piece of data.
func (p *Proxy) delay() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Duration(p.random.Int64N(int64(longDelay)))
}
