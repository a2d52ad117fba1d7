package main

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// megabyte is the unit of displayed sizes.
const megabyte = 1e6

// A measured turn is the output of a turn and its cost for the bridge.
type measured struct {
	taken
	wall   time.Duration
	cpu    time.Duration
	writes int64
	peak   int64
}

// measureTurn launches a contender, measures one turn of the child, and ends both.
func measureTurn(ctx context.Context, c contender, child []string) (m measured, err error) {
	s, err := c.launch(ctx, child)
	if err != nil {
		return m, err
	}
	cpu, err := cpuTime(s.pid())
	if err != nil {
		return m, err
	}
	writes, err := writeCalls(s.pid())
	if err != nil {
		return m, err
	}
	begin := time.Now()
	if m.taken, err = turn(s, "go"); err != nil {
		return m, err
	}
	m.wall = time.Since(begin)
	if m.cpu, err = cpuTime(s.pid()); err != nil {
		return m, err
	}
	if m.writes, err = writeCalls(s.pid()); err != nil {
		return m, err
	}
	if m.peak, err = peakMemory(s.pid()); err != nil {
		return m, err
	}
	m.cpu -= cpu
	m.writes -= writes
	return m, s.close()
}

// throughput sends the mixed stream at full speed.
func (b *bench) throughput(ctx context.Context, c contender) error {
	m, err := measureTurn(ctx, c, []string{b.child, "-events", strconv.Itoa(b.events)})
	if err != nil {
		return err
	}
	if !c.joins() && m.lines != b.events {
		return fmt.Errorf("%d events became %d lines", b.events, m.lines)
	}
	n := float64(b.events)
	b.figures.add(eventRate, c.name, n/m.wall.Seconds())
	b.figures.add(wallTime, c.name, m.wall.Seconds())
	b.figures.add(cpuPerMillion, c.name, m.cpu.Seconds()*1e6/n)
	b.figures.add(peakMixed, c.name, float64(m.peak)/megabyte)
	b.figures.add(writesPer1000, c.name, float64(m.writes)*1e3/n)
	if c.bridge != nil {
		b.figures.add(updatesSent, c.name, float64(m.lines))
	}
	return nil
}

// written sends the stream of realistic events.
func (b *bench) written(ctx context.Context, c contender) error {
	n := b.events / 4 // they are longer
	m, err := measureTurn(ctx, c, []string{b.child, "-written", "-events", strconv.Itoa(n)})
	if err != nil {
		return err
	}
	b.figures.add(writtenRate, c.name, float64(n)/m.wall.Seconds())
	return nil
}

// results sends large tool results at full speed.
func (b *bench) results(ctx context.Context, c contender) error {
	m, err := measureTurn(ctx, c, []string{b.child, "-results", strconv.Itoa(b.options.results), "-size", strconv.Itoa(b.size)})
	if err != nil {
		return err
	}
	volume := float64(b.options.results) * float64(b.size)
	if float64(m.bytes) < volume/2 {
		return fmt.Errorf("%.0f bytes of results became %d bytes", volume, m.bytes)
	}
	b.figures.add(resultRate, c.name, volume/megabyte/m.wall.Seconds())
	b.figures.add(peakResults, c.name, float64(m.peak)/megabyte)
	return nil
}
