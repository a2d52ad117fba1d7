package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// firstTexts are the prompts of a run, after some that are not counted.
const firstTexts, warmUp = 350, 50

// texts reports whether there is text of the agent in what has arrived.
func texts(arrived []byte) bool {
	return bytes.Contains(arrived, []byte(`"session/update"`)) || bytes.Contains(arrived, []byte(`"chat/delta"`))
}

// firstText takes the time from a prompt to its first text: an agent of one
// event, one prompt after the other.
func (b *bench) firstText(ctx context.Context, c contender) error {
	s, err := c.launch(ctx, []string{b.child, "-events", "1"})
	if err != nil {
		return err
	}
	var took []float64
	for i := range firstTexts + warmUp {
		begin, first := time.Now(), 0.0
		if err := s.prompt("go"); err != nil {
			return err
		}
		if _, err := drain(s, func(arrived []byte) {
			if first == 0 && texts(arrived) {
				first = float64(time.Since(begin).Nanoseconds()) / 1e3
			}
		}); err != nil {
			return err
		}
		if first == 0 {
			return fmt.Errorf("prompt %d had no text", i+1)
		}
		if i >= warmUp {
			took = append(took, first)
		}
	}
	b.figures.add(firstTextP50, c.name, percentile(took, 50))
	b.figures.add(firstTextP99, c.name, percentile(took, 99))
	return s.close()
}
