// Package lease wraps a batch of events that is on loan to a receiver. The
// owner can watch the events, and learns when the receiver returns the batch.
package lease

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
)

// A View transforms a batch's events for its receiver. It runs where the
// receiver ranges over them, and may watch, change or drop any of them.
type View func(events iter.Seq[agent.Event]) iter.Seq[agent.Event]

// A Batch is a leased [agent.Batch].
type Batch struct {
	agent.Batch
	view     View
	returned chan struct{}
}

// New lends b. A nil view passes the events on unchanged.
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

// Returned is closed when the receiver has released the batch. Until then, the
// batch's decoder belongs to the receiver.
func (b *Batch) Returned() <-chan struct{} { return b.returned }
