package core

import "sync"

// A Mailbox runs the functions posted to it, one at a time and in order. A source may
// hold locks while it calls its view. A view with its own locks therefore calls the
// source from a Mailbox.
type Mailbox struct {
	mu      sync.Mutex
	changed sync.Cond
	posted  []func()
	last    func() // runs after everything posted; nil until Close
}

// NewMailbox returns an empty mailbox. The caller must call Run.
func NewMailbox() *Mailbox {
	m := new(Mailbox)
	m.changed.L = &m.mu
	return m
}

// Post adds a function. It does not block, and has no effect after Close.
func (m *Mailbox) Post(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.posted = append(m.posted, do)
		m.changed.Signal()
	}
}

// Close makes Run call last after everything posted, and then return. Only the first
// Close has an effect.
func (m *Mailbox) Close(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = last
		m.changed.Signal()
	}
}

// Run runs the posted functions until Close. It returns after the function given to
// Close.
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
