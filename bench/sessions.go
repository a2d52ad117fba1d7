package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// manySessions streams many sessions of one bridge at once.
func (b *bench) manySessions(ctx context.Context, c contender) error {
	n := max(b.events/b.sessions, 1)
	e, err := c.session(ctx, []string{b.child, "-events", strconv.Itoa(n)})
	if err != nil {
		return err
	}
	// After one turn the bridge knows that the agent doesn't introduce itself, and no
	// session waits for that any more.
	if err := e.turn("ready"); err != nil {
		return err
	}
	before, err := residentMemory(e.pid())
	if err != nil {
		return err
	}
	ids := []string{e.id}
	for len(ids) < b.sessions {
		id, err := e.open()
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	answers := make(chan arrival, len(ids)) // all sessions may respond before any response is received
	go listen(e.Reader, answers)
	if err := e.promptAll(ids, "ready", answers); err != nil {
		return err
	}
	idle, err := residentMemory(e.pid())
	if err != nil {
		return err
	}
	used, err := e.cpu()
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := e.promptAll(ids, "go", answers); err != nil {
		return err
	}
	took := time.Since(begin)
	after, err := e.cpu()
	if err != nil {
		return err
	}
	peak, err := peakMemory(e.pid())
	if err != nil {
		return err
	}
	b.figures.add(sessionRate, c.name, float64(n*len(ids))/took.Seconds())
	b.figures.add(sessionCPU, c.name, (after-used).Seconds()*1e6/float64(n*len(ids)))
	b.figures.add(sessionIdle, c.name, float64(idle-before)/1e3/float64(b.sessions))
	b.figures.add(sessionPeak, c.name, float64(peak)/megabyte)
	return e.close()
}

// promptAll prompts all sessions and waits until all turns have ended successfully.
func (e *session) promptAll(ids []string, text string, answers <-chan arrival) error {
	running := make(map[int64]bool, len(ids))
	for _, id := range ids {
		request, err := e.promptIn(id, text)
		if err != nil {
			return err
		}
		running[request] = true
	}
	for len(running) > 0 {
		a := <-answers
		if a.err != nil {
			return a.err
		}
		if !running[*a.ID] {
			return fmt.Errorf("unexpected answer to request %d", *a.ID)
		}
		delete(running, *a.ID)
		if err := stopped(a.message); err != nil {
			return err
		}
	}
	return nil
}
