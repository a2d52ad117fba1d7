package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
)

// start measures the time from the start of a bridge to the first byte of its initialize
// response. The lower bound is an empty Go program, which is measured along with the peer
// and shown in the column of cat.
func (b *bench) start(ctx context.Context, c contender) error {
	took, err := firstByte(ctx, append(slices.Clip(c.bridge), b.child), func(e *session) error {
		_, err := e.request("initialize", initializeParams)
		return err
	})
	if err != nil {
		return err
	}
	b.figures.add(startTime, c.name, took)
	if c.name != peer {
		return nil
	}
	took, err = firstByte(ctx, []string{b.empty}, func(*session) error { return nil })
	if err != nil {
		return fmt.Errorf("empty program: %w", err)
	}
	b.figures.add(startTime, plain, took)
	return nil
}

// firstByte returns the milliseconds until a program prints its first byte.
func firstByte(ctx context.Context, argv []string, ask func(*session) error) (float64, error) {
	begin := time.Now()
	e, err := newEditor(ctx, argv)
	if err != nil {
		return 0, err
	}
	if err := ask(e); err != nil {
		return 0, err
	}
	if _, err := io.ReadFull(e, make([]byte, 1)); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	return float64(took.Nanoseconds()) / 1e6, e.close()
}
