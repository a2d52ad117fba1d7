package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/turnwire/turnwire/bench/events"
)

// toolLines is the number of tool event lines in a turn.
const toolLines = 300_000

// toolLine returns the metric of a dialect's tool events.
func toolLine(dialect string) metric { return metric("tool events in " + dialect + ", µs a line") }

// toolStreams sends only tool events, in every dialect. The peer supports one dialect.
func (b *bench) toolStreams(ctx context.Context, c contender) error {
	for _, d := range events.Dialects {
		if c.name == peer && d.Name != "native" {
			continue
		}
		own := c
		if c.name != peer {
			own.bridge = slices.Insert(slices.Clone(c.bridge), len(c.bridge)-1, "--dialect", d.Name)
		}
		m, err := measureTurn(ctx, own, []string{b.child, "-tools", d.Name, "-events", strconv.Itoa(toolLines)})
		if err != nil {
			return err
		}
		b.figures.add(toolLine(d.Name), c.name, m.wall.Seconds()*1e6/toolLines)
	}
	return nil
}
