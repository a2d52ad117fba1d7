package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/bench/events"
)

// latency sends bursts at a steady rate, and measures the time from the child's write of
// each event to its arrival at the editor. The percentiles are those of the whole run.
// The percentiles of each second are shown too, but aren't judged: if the two differ,
// long delays came in clusters.
func (b *bench) latency(ctx context.Context, c contender) error {
	n := int(b.steady.Seconds() * float64(b.rate))
	s, err := c.launch(ctx, []string{
		b.child, "-events", strconv.Itoa(n),
		"-rate", strconv.Itoa(b.rate), "-burst", strconv.Itoa(b.burst),
	})
	if err != nil {
		return err
	}
	used, err := cpuTime(s.pid())
	if err != nil {
		return err
	}
	if err := s.prompt("go"); err != nil {
		return err
	}
	delays := make([]float64, 0, n)
	var pending []byte
	_, err = drain(s, func(arrived []byte) {
		now := time.Now()
		pending = append(pending, arrived...)
		rest := events.Stamps(pending, func(written time.Time) {
			delays = append(delays, float64(now.Sub(written).Nanoseconds())/1e3)
		})
		pending = append(pending[:0], rest...)
	})
	if err != nil {
		return err
	}
	if len(delays) != n {
		return fmt.Errorf("%d of %d events arrived", len(delays), n)
	}
	after, err := cpuTime(s.pid())
	if err != nil {
		return err
	}
	b.figures.add(steadyCPU, c.name, (after-used).Seconds()*1e6/float64(n))
	b.figures.add(delayP50, c.name, percentile(delays, 50))
	b.figures.add(delayP99, c.name, percentile(delays, 99))
	for second := range slices.Chunk(delays, b.rate) {
		b.figures.add(delaySecond, c.name, percentile(second, 99))
	}
	return s.close()
}
