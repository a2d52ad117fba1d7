package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// options are the command-line flags.
type options struct {
	events, verified, stalled int
	runs, starts, pings       int
	results, size             int
	rate, burst               int
	sessions                  int
	steady, slow, timeout     time.Duration
	turnwire                  string
	only, who                 choice
}

// A choice is a list of names; an empty one chooses all.
type choice []string

func (c choice) has(name string) bool { return len(c) == 0 || slices.Contains(c, name) }

// known returns an error if a name is not one of names.
func (c choice) known(names []string) error {
	for _, name := range c {
		if !slices.Contains(names, name) {
			return fmt.Errorf("unknown name %q; use some of %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

// String implements [flag.Value].
func (c *choice) String() string { return strings.Join(*c, ",") }

// Set implements [flag.Value].
func (c *choice) Set(s string) error {
	*c = strings.Split(s, ",")
	return nil
}

func parseFlags() options {
	var o options
	flag.IntVar(&o.events, "events", 1_000_000, "events of a throughput run")
	flag.IntVar(&o.verified, "verified", 100_000, "events of the turn that is compared with what was sent")
	flag.IntVar(&o.stalled, "stalled", 300_000, "events of the turn in which the slow reader stops: many times what pipes and buffers may hold")
	flag.IntVar(&o.runs, "runs", 3, "runs of each measurement; the median is shown")
	flag.IntVar(&o.starts, "starts", 200, "starts of each bridge")
	flag.IntVar(&o.pings, "pings", 1000, "control requests under a full stream (a fiftieth of them with a slow client)")
	flag.IntVar(&o.results, "results", 500, "large tool results")
	flag.IntVar(&o.size, "size", 1_000_000, "bytes of a large tool result")
	flag.IntVar(&o.rate, "rate", 2000, "events a second where delays are measured")
	flag.IntVar(&o.burst, "burst", 20, "events of a burst")
	flag.IntVar(&o.sessions, "sessions", 1000, "how many sessions stream at once; 0 leaves that out")
	flag.DurationVar(&o.steady, "steady", 5*time.Second, "how long delays are measured in a run")
	flag.DurationVar(&o.slow, "slow", 10*time.Second, "how long the slow reader does not read")
	flag.DurationVar(&o.timeout, "timeout", 3*time.Minute, "time limit of one measurement")
	flag.StringVar(&o.turnwire, "turnwire", "", "measure this binary instead of building ../")
	flag.Var(&o.only, "only", "parts to run: "+strings.Join(partNames(), ","))
	flag.Var(&o.who, "who", "contenders: "+strings.Join(columns, ","))
	flag.Parse()
	return o
}

func partNames() []string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, parseFlags(), os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o options, out io.Writer) (err error) {
	if err := errors.Join(o.only.known(partNames()), o.who.known(columns)); err != nil {
		return err
	}
	if _, err := cpuTime(os.Getpid()); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "turnwire-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	// Save sessions, as users do, but not among the user's own.
	if err := os.Setenv("XDG_STATE_HOME", filepath.Join(dir, "state")); err != nil {
		return err
	}
	b := &bench{options: o, figures: make(figures), log: os.Stderr}
	if b.binaries, err = build(ctx, dir, o.turnwire, o.who); err != nil {
		return err
	}
	failed := b.measure(ctx)
	fmt.Fprintf(out, "\n%s %s/%s, %d processors; medians of %d runs; %s events a run\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), o.runs, number(float64(o.events), 0))
	if err := b.figures.print(out); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nAllocations of an event: go test -run '^$' -bench . -benchmem ./bridge/... in the main module.")
	return failed
}
