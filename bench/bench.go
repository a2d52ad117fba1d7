package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// A bench is one run of the program.
type bench struct {
	options
	binaries
	figures figures
	log     io.Writer
}

// A part measures one thing for one contender, once.
type part struct {
	name string
	runs func(o options) int
	run  func(b *bench, ctx context.Context, c contender) error
	// cat reports whether cat takes part: it cannot answer requests.
	cat bool
}

var parts = []part{
	{"verify", once, (*bench).verify, false},
	{"throughput", each, (*bench).throughput, true},
	{"written", each, (*bench).written, true},
	{"tools", each, (*bench).toolStreams, false},
	{"results", each, (*bench).results, true},
	{"latency", each, (*bench).latency, true},
	{"control", each, (*bench).control, false},
	{"slow-client", each, (*bench).slowClient, false},
	{"start", starts, (*bench).start, false},
	{"slow-reader", once, (*bench).slowReader, false},
	{"sessions", manySessions, (*bench).manySessions, false},
}

func once(options) int     { return 1 }
func each(o options) int   { return o.runs }
func starts(o options) int { return o.starts }

func manySessions(o options) int {
	if o.sessions == 0 {
		return 0
	}
	return 1
}

// measure runs the parts that were chosen. What goes wrong with one contender
// does not keep the others from being measured.
func (b *bench) measure(ctx context.Context) error {
	var failures []error
	for _, p := range parts {
		if !b.only.has(p.name) {
			continue
		}
		for run := range p.runs(b.options) {
			for _, c := range b.turns(run, p.cat) {
				begin := time.Now()
				err := b.guarded(ctx, p, c)
				if err != nil {
					failures = append(failures, fmt.Errorf("%s: %s: %w", p.name, c.name, err))
				}
				if p.name != "start" || err != nil {
					fmt.Fprintf(b.log, "%-12s run %d  %-9s %6.1fs  %v\n", p.name, run+1, c.name, time.Since(begin).Seconds(), verdict(err))
				}
			}
		}
	}
	return errors.Join(failures...)
}

// guarded measures within the time limit; a contender that does not end by
// then is killed.
func (b *bench) guarded(ctx context.Context, p part, c contender) error {
	ctx, cancel := context.WithTimeout(ctx, b.timeout)
	defer cancel()
	err := p.run(b, ctx, c)
	if cause := ctx.Err(); err != nil && cause != nil {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

func verdict(err error) string {
	if err != nil {
		return "FAILED: " + err.Error()
	}
	return "ok"
}

// turns lists who is measured in a run. Each run begins with another one.
func (b *bench) turns(run int, cat bool) []contender {
	var chosen []contender
	for _, c := range b.contenders() {
		if b.who.has(c.name) && (cat || c.bridge != nil) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	first := run % len(chosen)
	return append(chosen[first:len(chosen):len(chosen)], chosen[:first]...)
}
