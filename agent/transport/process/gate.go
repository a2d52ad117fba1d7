package process

import (
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// gate stands between a child and the channel of its session. It is open or
// shut, and who shuts it knows that nothing passes from then on.
type gate struct {
	passing sync.Mutex // held while a batch is being handed over
	mu      sync.Mutex
	closed  chan struct{} // closed while the gate is shut
}

func newGate() *gate { return &gate{closed: make(chan struct{})} }

// pass hands b over to whoever receives from out. It blocks until that happens
// or the gate is shut, and tells which it was.
func (g *gate) pass(b agent.Batch, out chan<- agent.Batch) bool {
	g.passing.Lock()
	defer g.passing.Unlock()
	g.mu.Lock()
	closed := g.closed
	g.mu.Unlock()
	// Of two ready cases select takes any: being shut has to be asked first.
	select {
	case <-closed:
		return false
	default:
	}
	select {
	case out <- b:
		return true
	case <-closed:
		return false
	}
}

// shut is harmless where the gate is shut already.
func (g *gate) shut() {
	g.mu.Lock()
	select {
	case <-g.closed:
	default:
		close(g.closed)
	}
	g.mu.Unlock()
	// Whoever is in pass leaves it now; behind this nobody is.
	g.passing.Lock()
	defer g.passing.Unlock()
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = make(chan struct{})
}

// A loan is a batch that was handed over. While it is out, what its decoder
// has made must not be touched.
type loan struct {
	agent.Batch
	back chan struct{}
}

// Release implements [agent.Batch].
func (l *loan) Release() {
	l.Batch.Release()
	close(l.back)
}
