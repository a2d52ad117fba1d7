package main

import (
	"context"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/bench/events"
)

// growthBound is how many megabytes a bridge may grow while it can't write: two, plus the
// longest line.
const growthBound = 2 + events.ResultMax/megabyte

// slowReader stops reading in the middle of a turn, measures how much the bridge grows
// meanwhile, and then reads everything.
func (b *bench) slowReader(ctx context.Context, c contender) error {
	s, err := c.launch(ctx, []string{b.child, "-events", strconv.Itoa(b.stalled)})
	if err != nil {
		return err
	}
	if err := s.prompt("go"); err != nil {
		return err
	}
	v := newVerifier(s.(*session))
	if _, err := v.line(); err != nil {
		return err
	}
	before, err := residentMemory(s.pid())
	if err != nil {
		return err
	}
	select {
	case <-time.After(b.slow):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := residentMemory(s.pid())
	if err != nil {
		return err
	}
	b.figures.add(slowGrowth, c.name, float64(after-before)/megabyte)
	if err := v.rest(); err != nil {
		return err
	}
	if err := v.compare(events.Mixed(b.stalled).Summary); err != nil {
		return err
	}
	return s.close()
}
