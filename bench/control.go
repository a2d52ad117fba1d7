package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// slowRate is the reading speed of the slow client, in bytes per second.
const slowRate = 1_000_000

// control measures the time from a request to its response while the agent prints and the
// client reads as fast as they can.
func (b *bench) control(ctx context.Context, c contender) error {
	return b.ping(ctx, c, controlFull, b.pings, 0)
}

// slowClient is like control with a client that reads slowly. The response waits behind
// everything that the bridge has buffered.
func (b *bench) slowClient(ctx context.Context, c contender) error {
	return b.ping(ctx, c, controlSlow, max(b.pings/50, 1), slowRate)
}

func (b *bench) ping(ctx context.Context, c contender, m metric, n, rate int) error {
	s, err := c.launch(ctx, []string{b.child, "-events", strconv.Itoa(min(b.events, 100_000)), "-endless"})
	if err != nil {
		return err
	}
	e, ok := s.(*session)
	if !ok {
		return fmt.Errorf("%s answers no requests", c.name)
	}
	input := &pacer{Reader: e.Reader, rate: rate}
	answers := make(chan arrival, 1) // room for the end of the stream, which nobody receives
	go listen(input, answers)
	if err := e.prompt("go"); err != nil {
		return err
	}
	pause(200 * time.Millisecond) // until all pipes are full
	delays := make([]float64, 0, n)
	for range n {
		took, err := e.ping(answers)
		if err != nil {
			return err
		}
		delays = append(delays, float64(took.Nanoseconds())/1e6)
		pause(time.Millisecond)
	}
	b.figures.add(m, c.name, percentile(delays, 50))

	if err := e.cancel(); err != nil {
		return err
	}
	input.released.Store(true)
	a := <-answers
	if a.err != nil {
		return a.err
	}
	if *a.ID != e.running {
		return fmt.Errorf("answer to request %d instead of the prompt's", *a.ID)
	}
	if err := stopped(a.message); !errors.Is(err, errCancelled) {
		return fmt.Errorf("a cancelled turn ended with: %v", err)
	}
	return e.close()
}

// pause sleeps about d, with a random variation, so that requests aren't synchronous with
// the stream.
func pause(d time.Duration) { time.Sleep(d/2 + rand.N(d)) }

// ping calls an unknown method. The error response counts as an answer.
func (e *session) ping(answers <-chan arrival) (time.Duration, error) {
	begin := time.Now()
	id, err := e.request("_bench/ping", map[string]any{})
	if err != nil {
		return 0, err
	}
	a := <-answers
	switch {
	case a.err != nil:
		return 0, a.err
	case *a.ID != id:
		return 0, fmt.Errorf("answer to request %d instead of %d", *a.ID, id)
	case a.Error == nil || a.Error.Code != -32601:
		return 0, fmt.Errorf("an unknown method was answered with %v, %s", a.Error, a.Result)
	}
	return a.at.Sub(begin), nil
}
