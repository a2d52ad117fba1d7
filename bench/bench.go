package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
	// beside are the contenders that take part besides turnwire, joined and peer. cat
	// can't answer requests. A journal matters if much is written. A server matters if
	// somebody waits, or with many sessions.
	beside choice
}

var parts = []part{
	{"verify", once, (*bench).verify, choice{unkept}},
	{"throughput", each, (*bench).throughput, choice{unkept, plain, served, shared, hosted}},
	{"written", each, (*bench).written, choice{unkept, plain}},
	{"tools", each, (*bench).toolStreams, nil},
	{"results", each, (*bench).results, choice{unkept, plain}},
	{"latency", each, (*bench).latency, choice{plain, served, shared, hosted}},
	{"first-text", each, (*bench).firstText, choice{served, hosted}},
	{"control", each, (*bench).control, nil},
	{"slow-client", each, (*bench).slowClient, nil},
	{"start", starts, (*bench).start, nil},
	{"slow-reader", once, (*bench).slowReader, nil},
	{"sessions", manySessions, (*bench).manySessions, choice{served}},
	{"clients", once, (*bench).idleClients, choice{hosted}},
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

// measure runs the selected parts. A failure of one contender doesn't prevent measuring
// the others.
func (b *bench) measure(ctx context.Context) error {
	var failures []error
	for _, p := range parts {
		if !b.only.has(p.name) {
			continue
		}
		for run := range p.runs(b.options) {
			for _, c := range b.turns(run, p.beside) {
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

// guarded measures within the time limit. A contender that exceeds it is killed.
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

// always are the contenders that take part in all parts.
var always = []string{single, joined, peer}

// turns returns the contenders of a run. Each run starts with a different one.
func (b *bench) turns(run int, beside choice) []contender {
	var chosen []contender
	for _, c := range b.contenders() {
		if b.who.has(c.name) && (slices.Contains(always, c.name) && !slices.Equal(beside, choice{hosted}) || slices.Contains(beside, c.name)) {
			chosen = append(chosen, c)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	first := run % len(chosen)
	return append(chosen[first:len(chosen):len(chosen)], chosen[:first]...)
}
