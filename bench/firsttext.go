package main

import (
	"bytes"
	"context"
	"fmt"
	"time"
)

// firstTexts is the number of measured prompts of a run. warmUp is the number of prompts
// before them, which aren't measured.
const firstTexts, warmUp = 350, 50

// texts reports whether the bytes contain text from the agent.
func texts(arrived []byte) bool {
	return bytes.Contains(arrived, []byte(`"session/update"`)) || bytes.Contains(arrived, []byte(`"chat/delta"`))
}

// firstText measures the time from a prompt to its first text. The agent sends one event
// per turn, and prompts follow one another.
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
