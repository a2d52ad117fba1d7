package workspace

import "sync"

// A mailbox hands answers to those who wait for them by id. The zero value is
// ready to use.
type mailbox[T any] struct {
	mu    sync.Mutex
	slots map[string]chan T
}

// expect opens a slot for the answer to id. It must be called before the
// question goes out, because the answer may come at once. forget closes it.
func (m *mailbox[T]) expect(id string) (answer <-chan T, forget func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.slots == nil {
		m.slots = make(map[string]chan T)
	}
	slot := make(chan T, 1)
	m.slots[id] = slot
	return slot, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.slots, id)
	}
}

// deliver gives v to whoever waits for id. An answer that nobody waits for,
// such as a second one, is dropped.
func (m *mailbox[T]) deliver(id string, v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if slot, ok := m.slots[id]; ok {
		slot <- v
		delete(m.slots, id)
	}
}
