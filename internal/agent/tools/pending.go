package tools

import "sync"

// A pendingAnswers delivers answers, by id, to the goroutines that wait for
// them. The zero value is ready to use.
type pendingAnswers[T any] struct {
	mu    sync.Mutex
	slots map[string]chan T
}

// expect opens a slot for the answer to id. Call it before sending the
// question, because the answer may arrive at once. forget closes the slot.
func (m *pendingAnswers[T]) expect(id string) (answer <-chan T, forget func()) {
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

// deliver passes v to the goroutine that waits for id. It returns false for an unexpected
// answer, such as a second one.
func (m *pendingAnswers[T]) deliver(id string, v T) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	slot, ok := m.slots[id]
	if ok {
		slot <- v
		delete(m.slots, id)
	}
	return ok
}
