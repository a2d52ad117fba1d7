package hub

import "sync"

// A mailbox does what is posted to it, one after the other, in a goroutine of its own.
// A source may hold locks while it calls its view: so nobody calls a source who holds
// the hub's.
type mailbox struct {
	mu      sync.Mutex
	changed sync.Cond
	posted  []func()
	last    func() // what ends it; nil before
}

func newMailbox() *mailbox {
	m := new(mailbox)
	m.changed.L = &m.mu
	return m
}

// post adds something to do. It does not wait, and has no effect after close.
func (m *mailbox) post(do func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.posted = append(m.posted, do)
		m.changed.Signal()
	}
}

// close has last done after all that was posted. Only the first call has an effect.
func (m *mailbox) close(last func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last = last
		m.changed.Signal()
	}
}

// run does what is posted until last is done.
func (m *mailbox) run() {
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
