// Package lease wraps a batch of events that a receiver uses for a while, so
// that its owner sees the events go by and learns when the batch comes back.
package lease

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
)

// A View is what a receiver gets of the events of a batch. It runs where the
// receiver ranges over them, and may watch, change or leave out any of them.
type View func(events iter.Seq[agent.Event]) iter.Seq[agent.Event]

// A Batch is a leased [agent.Batch].
type Batch struct {
	agent.Batch
	view     View
	returned chan struct{}
}

// New leases b. A nil view shows the events as they are.
func New(b agent.Batch, view View) *Batch {
	if view == nil {
		view = func(events iter.Seq[agent.Event]) iter.Seq[agent.Event] { return events }
	}
	return &Batch{Batch: b, view: view, returned: make(chan struct{})}
}

// Events implements [agent.Batch].
func (b *Batch) Events() iter.Seq[agent.Event] { return b.view(b.Batch.Events()) }

// Release implements [agent.Batch].
func (b *Batch) Release() {
	b.Batch.Release()
	close(b.returned)
}

// Returned is closed when the receiver has released the batch. Until then what
// decodes it belongs to the receiver.
func (b *Batch) Returned() <-chan struct{} { return b.returned }
