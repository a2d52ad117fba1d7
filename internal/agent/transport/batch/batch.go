// Package batch tracks a batch of events: the owner can watch the events that a
// receiver reads, and learns when the receiver releases the batch.
package batch

import (
	"iter"

	"github.com/turnwire/turnwire/agent"
)

// A View transforms a batch's events for its receiver. It runs on the
// receiver's goroutine, and may watch, change or drop any of them.
type View func(events iter.Seq[agent.Event]) iter.Seq[agent.Event]

// A Tracked batch is an [agent.Batch] whose release can be awaited.
type Tracked struct {
	agent.Batch
	view     View
	returned chan struct{}
}

// New returns b as a tracked batch. A nil view passes the events on unchanged.
func New(b agent.Batch, view View) *Tracked {
	if view == nil {
		view = func(events iter.Seq[agent.Event]) iter.Seq[agent.Event] { return events }
	}
	return &Tracked{Batch: b, view: view, returned: make(chan struct{})}
}

// Events implements [agent.Batch].
func (b *Tracked) Events() iter.Seq[agent.Event] { return b.view(b.Batch.Events()) }

// Release implements [agent.Batch].
func (b *Tracked) Release() {
	b.Batch.Release()
	close(b.returned)
}

// Returned is closed when the receiver has released the batch. Until then, the
// batch's decoder belongs to the receiver.
func (b *Tracked) Returned() <-chan struct{} { return b.returned }
