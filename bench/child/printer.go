package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/turnwire/turnwire/bench/events"
)

// A printer prints turns.
type printer struct {
	stream      *events.Stream
	events      int
	endless     bool
	rate, burst int
	end         string // the line that ends a turn; "" means the native one
}

func (p *printer) turn(cancelled *atomic.Bool) error {
	var err error
	switch {
	case p.rate > 0:
		err = p.paced()
	case p.endless:
		err = p.repeat(cancelled)
	default:
		_, err = p.stream.WriteTo(os.Stdout)
	}
	if err != nil {
		return err
	}
	if cancelled.Load() {
		return p.done("cancelled")
	}
	return p.done("end_turn")
}

func (p *printer) done(reason string) error {
	if p.end != "" {
		_, err := fmt.Println(p.end)
		return err
	}
	_, err := fmt.Printf(`{"type":"done","text":"","stopReason":%q}`+"\n", reason)
	return err
}

// repeat prints the stream until the turn is cancelled.
func (p *printer) repeat(cancelled *atomic.Bool) error {
	for !cancelled.Load() {
		if _, err := p.stream.WriteTo(os.Stdout); err != nil {
			return err
		}
		p.stream.Renumber(p.stream.Summary.Calls)
	}
	return nil
}

// paced prints bursts of stamped events, each burst with one write. It follows a
// schedule, so that a late burst doesn't delay later ones.
func (p *printer) paced() error {
	pause := time.Second * time.Duration(p.burst) / time.Duration(p.rate)
	buf := make([]byte, 0, 128*p.burst)
	next := time.Now()
	for left := p.events; left > 0; left -= p.burst {
		time.Sleep(time.Until(next))
		next = next.Add(pause)
		buf = events.AppendStamped(buf[:0], min(p.burst, left), time.Now())
		if _, err := os.Stdout.Write(buf); err != nil {
			return err
		}
	}
	return nil
}
