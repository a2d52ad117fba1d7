package workspace

import (
	"errors"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// waitStep waits for some seconds.
type waitStep struct{ seconds float64 }

type waitArgs struct {
	Seconds float64 `json:"seconds"`
}

func (s waitStep) run(t *turn) outcome {
	c := t.newCall("wait", waitArgs{s.seconds}, agent.View{
		Title: fmt.Sprintf("Wait %v s", s.seconds), Kind: "other",
	})
	c.start()
	timer := time.NewTimer(time.Duration(s.seconds * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return c.succeed(fmt.Sprintf("Waited %v s.", s.seconds))
	case <-t.ctx.Done():
		return c.fail(t.ctx.Err())
	}
}

// failStep shows a tool that fails.
type failStep struct{ message string }

type failArgs struct {
	Message string `json:"message"`
}

func (s failStep) run(t *turn) outcome {
	c := t.newCall("fail", failArgs{s.message}, agent.View{Title: "Fail", Kind: "other"})
	c.start()
	return c.fail(errors.New(s.message))
}
