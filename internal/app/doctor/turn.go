package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

const (
	// startTimeout bounds the time until the agent has answered what comes
	// before a prompt, and turnTimeout the time for the rest.
	startTimeout = time.Minute
	turnTimeout  = 3 * time.Minute
	closeTimeout = 2 * time.Second
)

// turn runs one turn, as an editor would: it launches this program, and talks
// to it over its stdin and stdout.
func (x *examination) turn(ctx context.Context) {
	started := time.Now()
	said, stop, err := x.ask(ctx)
	took := time.Since(started).Round(time.Millisecond)
	switch {
	case err != nil:
		x.found(Failed, "answer", err.Error(), "See what happens: turnwire run --log-file - --log-level debug hello"+flags(x.Args))
	case stop != agent.StopEndTurn:
		x.found(Failed, "answer", fmt.Sprintf("the turn ended with %s after %s", stop, took), "Ask the agent itself why.")
	case said == "":
		x.found(Warning, "answer", fmt.Sprintf("the turn ended after %s, and nothing was said", took), "")
	default:
		x.found(OK, "answer", fmt.Sprintf("“%s” after %s", said, took), "")
	}
}

// prompt is what the agent is asked. The embedded one knows commands only.
func (x *examination) prompt() string {
	if l := readArgs(x.Args); len(l.command) == 0 && (l.agent == "" || l.agent == embedded) {
		return "/say ready"
	}
	return "Answer with the one word “ready”, and do nothing else."
}

// ask runs the turn, and returns what the agent said in it.
func (x *examination) ask(ctx context.Context) (said string, stop agent.StopReason, err error) {
	dir, err := os.MkdirTemp("", "turnwire-doctor-")
	if err != nil {
		return "", "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	editor := acp.New(acp.Config{
		Name:         "turnwire",
		Args:         slices.Concat([]string{x.Program}, x.Args),
		StartTimeout: startTimeout,
	})
	s, err := editor.Open(ctx, agent.Options{SessionID: "doctor", Cwd: dir})
	if err != nil {
		return "", "", err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if closed := s.Close(closing); err == nil { // else that is what matters
			err = closed
		}
	}()
	p := x.prompt()
	if err := s.Prompt(agent.Prompt{
		Type: agent.CommandPrompt, SessionID: "doctor", TurnID: "1", Cwd: dir,
		Text: p, Blocks: []agent.Content{{Type: "text", Text: p}},
	}); err != nil {
		return "", "", err
	}
	return listen(ctx, s)
}

// listen waits for the end of the turn. Whatever the agent asks is refused.
func listen(ctx context.Context, s agent.Session) (string, agent.StopReason, error) {
	var said answer
	for {
		var batch agent.Batch
		var open bool
		select {
		case batch, open = <-s.Events():
		case <-ctx.Done():
		}
		if !open {
			switch err := ctx.Err(); {
			case errors.Is(err, context.DeadlineExceeded):
				return "", "", fmt.Errorf("there was no answer within %s", turnTimeout)
			case err != nil:
				return "", "", errors.New("there was no answer before the end was asked for")
			}
			return "", "", errors.New("the agent went away")
		}
		stop, err := take(batch, s, &said)
		if stop != "" || err != nil {
			return said.short(), stop, err
		}
	}
}

// take looks at the events of a batch, up to the end of the turn.
func take(batch agent.Batch, s agent.Session, said *answer) (agent.StopReason, error) {
	defer batch.Release()
	for event := range batch.Events() {
		switch e := event.(type) {
		case *agent.TextDelta:
			said.add(e)
		case *agent.ConfirmationRequested:
			s.Confirm(agent.ConfirmationResponse{
				Type: agent.CommandConfirmation, SessionID: "doctor", TurnID: "1",
				ToolCallID: e.ToolCallID, Decision: agent.RejectOnce,
			})
		case *agent.QuestionAsked:
			s.Answer(agent.QuestionResponse{
				Type: agent.CommandQuestion, SessionID: "doctor", TurnID: "1",
				QuestionID: e.QuestionID, Cancelled: true,
			})
		case *agent.Error:
			if e.Fatal == nil || *e.Fatal {
				return "", errors.New(e.Error)
			}
		case *agent.Done:
			if e.StopReason == "" {
				return agent.StopEndTurn, nil
			}
			return e.StopReason, nil
		}
	}
	return "", nil
}
