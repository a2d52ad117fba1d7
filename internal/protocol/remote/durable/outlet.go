package durable

import (
	"io"
	"sync"
)

// enough is how much may wait for the client before the server has to wait, in bytes.
const enough = 256 << 10

// An outlet holds the lines for the client, in order.
type outlet struct {
	read *io.PipeReader
	feed *io.PipeWriter
	// written is closed when everything is written.
	written chan struct{}

	mu      sync.Mutex
	changed sync.Cond
	pending []byte
	over    bool // nothing more will be added
	free    bool // nothing waits for room any more
	broken  bool // the client no longer reads
}

func newOutlet() *outlet {
	o := &outlet{written: make(chan struct{})}
	o.read, o.feed = io.Pipe()
	o.changed.L = &o.mu
	return o
}

// add adds a line.
func (o *outlet) add(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.broken {
		return
	}
	o.pending = append(append(o.pending, line...), '\n')
	o.changed.Broadcast()
}

// await waits until there is room.
func (o *outlet) await() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > enough && !o.broken && !o.free {
		o.changed.Wait()
	}
}

// finish declares that nothing more will be added.
func (o *outlet) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = true
	o.changed.Broadcast()
}

// release lets nothing wait for room any more.
func (o *outlet) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.free = true
	o.changed.Broadcast()
}

// abandon drops what is pending, because nobody reads it.
func (o *outlet) abandon() { _ = o.feed.Close() }

// run writes to the client until finish.
func (o *outlet) run() {
	defer close(o.written)
	defer o.feed.Close() //nolint:errcheck // it always succeeds
	var spare []byte
	for {
		o.mu.Lock()
		for len(o.pending) == 0 && !o.over {
			o.changed.Wait()
		}
		batch := o.pending
		o.pending = spare[:0]
		o.changed.Broadcast()
		o.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		if _, err := o.feed.Write(batch); err != nil {
			o.mu.Lock()
			o.broken, o.pending = true, nil
			o.changed.Broadcast()
			o.mu.Unlock()
			return
		}
		if spare = batch; cap(spare) > 4*enough {
			spare = nil
		}
	}
}
