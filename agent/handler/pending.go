package handler

import (
	"context"
	"strconv"
	"sync"
)

// pending holds the requests that await an answer in the current turn. The zero
// value is ready to use.
type pending struct {
	mu      sync.Mutex
	end     context.CancelFunc // cancels the running turn
	waiting map[string]chan any
	last    int // number of the last id
}

// begin starts a turn, which end cancels.
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

// id returns an id that is unique in the session.
func (p *pending) id(kind string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	return kind + "_" + strconv.Itoa(p.last)
}

// expect returns the channel that receives the answer to id. Call it before
// sending the request, because the answer may arrive at once.
func (p *pending) expect(id string) <-chan any {
	p.mu.Lock()
	defer p.mu.Unlock()
	answer := make(chan any, 1)
	p.waiting[id] = answer
	return answer
}

// deliver passes on the first answer to id and drops any other.
func (p *pending) deliver(id string, answer any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if waiting, ok := p.waiting[id]; ok {
		delete(p.waiting, id)
		waiting <- answer
	}
}
