// Command child is the bench's agent. On a prompt it prints a stream of AgentEvents in
// Turnwire's native dialect.
//
// It answers the prompt "ready" with only the end of the turn, but not before the stream
// is rendered. Any other prompt starts the stream.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sync/atomic"

	"github.com/turnwire/turnwire/bench/events"
)

func main() {
	var p printer
	n := flag.Int("events", 1000, "number of events")
	results := flag.Int("results", 0, "print this many large tool results instead")
	written := flag.Bool("written", false, "print events as agents really write them")
	tools := flag.String("tools", "", "print tool events alone, in this dialect")
	size := flag.Int("size", 1_000_000, "bytes of a large result")
	flag.BoolVar(&p.endless, "endless", false, "repeat the events until the turn is cancelled")
	flag.IntVar(&p.rate, "rate", 0, "events a second, each with a time stamp; 0 is as fast as possible")
	flag.IntVar(&p.burst, "burst", 20, "with -rate: events in one write")
	flag.Parse()

	p.events = *n
	switch d, ok := events.DialectNamed(*tools); {
	case ok:
		p.stream, p.end = events.Tools(*n, d), d.Done
	case *tools != "":
		fmt.Fprintln(os.Stderr, "child: no dialect", *tools)
		os.Exit(2)
	case *results > 0:
		p.stream = events.Results(*results, *size)
	case *written:
		p.stream = events.Written(*n)
	case p.rate == 0:
		p.stream = events.Mixed(*n)
	}
	if err := serve(&p); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}

// serve executes the commands on stdin until EOF. Turns run concurrently, because a
// cancel must be seen even while the bridge doesn't read.
func serve(p *printer) error {
	var cancelled atomic.Bool
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var command struct{ Type, Text string }
		if err := json.Unmarshal(in.Bytes(), &command); err != nil {
			return fmt.Errorf("command: %w", err)
		}
		switch {
		case command.Type == "cancel":
			cancelled.Store(true)
		case command.Type != "prompt":
		case command.Text == "ready":
			if err := p.done("end_turn"); err != nil {
				return err
			}
		default:
			cancelled.Store(false)
			go func() {
				if err := p.turn(&cancelled); err != nil {
					fmt.Fprintln(os.Stderr, "child:", err)
					os.Exit(1)
				}
			}()
		}
	}
	return in.Err()
}
