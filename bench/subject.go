package main

import (
	"context"
	"fmt"
	"io"
	"slices"
)

// A subject is a running contender whose child is ready, and which waits for a prompt.
type subject interface {
	io.Reader // the output that the editor receives
	pid() int
	// prompt starts a turn.
	prompt(text string) error
	// ends reports whether a line ends the turn. It returns an error if the turn failed.
	ends(line []byte) (bool, error)
	// close ends everything in an orderly way.
	close() error
}

// session starts a contender that speaks ACP, and opens a session.
func (c contender) session(ctx context.Context, child []string) (*session, error) {
	if !c.served {
		return startSession(ctx, append(slices.Clip(c.bridge), child...))
	}
	behind, err := startServer(ctx, c.bridge[0], child)
	if err != nil {
		return nil, err
	}
	bridge := append(slices.Clip(c.bridge), "--server="+behind.socket())
	s, err := startSession(ctx, bridge)
	if err != nil {
		return nil, err
	}
	s.behind = behind
	for range c.beside {
		if err := s.join(ctx, bridge); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// launch starts a contender with a child and waits until both are ready. When ctx ends,
// it is killed.
func (c contender) launch(ctx context.Context, child []string) (subject, error) {
	var s subject
	var err error
	switch {
	case c.bridge == nil:
		s, err = startPlain(ctx, child)
	case c.hosted:
		s, err = startWindow(ctx, c.bridge[0], child)
	default:
		s, err = c.session(ctx, child)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.name, err)
	}
	if _, err := turn(s, "ready"); err != nil {
		return nil, fmt.Errorf("%s: first turn: %w", c.name, err)
	}
	return s, nil
}
