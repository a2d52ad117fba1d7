package core

import "sync"

// A Mailbox does what is posted to it, one after the other. A source may hold locks while
// it calls its view, so a view that has locks of its own calls the source from here.
type Mailbox struct {
	mu      sync.Mutex
	changed sync.Cond
	posted  []func()
	last    func() // what ends it; nil before
}

// NewMailbox returns an empty one. Run has to be called.
func NewMailbox() *Mailbox {
	m := new(Mailbox)
	m.changed.L = &m.mu
	return m
}

// Post adds something to do. It does not wait, and has no effect after Close.
func (m *Mailbox) Post(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.posted = append(m.posted, do)
		m.changed.Signal()
	}
}

// Close has last done after all that was posted. Only the first call has an effect.
func (m *Mailbox) Close(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = last
		m.changed.Signal()
	}
}

// Run does what is posted until last is done.
func (m *Mailbox) Run() {
	for {
		m.mu.Lock()
		for len(m.posted) == 0 && m.last == nil {
			m.changed.Wait()
		}
		posted := m.posted
		m.posted = nil
		m.mu.Unlock()
		if len(posted) == 0 {
			m.last()
			return
		}
		for _, do := range posted {
			do()
		}
	}
}
