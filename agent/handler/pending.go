package handler

import (
	"context"
	"strconv"
	"sync"
)

// pending are the answers that a turn waits for. The zero value is ready to use.
type pending struct {
	mu      sync.Mutex
	end     context.CancelFunc // of the turn that runs
	waiting map[string]chan any
	last    int // number of the last id
}

// begin begins a turn, which end cancels.
func (p *pending) begin(end context.CancelFunc) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end, p.waiting = end, make(map[string]chan any)
}

func (p *pending) cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.end != nil {
		p.end()
	}
}

// id returns an id that no other has in the session.
func (p *pending) id(kind string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	return kind + "_" + strconv.Itoa(p.last)
}

// expect returns where the answer to id comes; it must precede the question,
// whose answer may come at once.
func (p *pending) expect(id string) <-chan any {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := make(chan any, 1)
	p.waiting[id] = answer
	return answer
}

// deliver passes an answer on. Nobody waits for a second one.
func (p *pending) deliver(id string, answer any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waiting, ok := p.waiting[id]; ok {
		delete(p.waiting, id)
		waiting <- answer
	}
}
