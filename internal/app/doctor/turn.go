package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

const (
	// startTimeout bounds the time until the agent is ready for a prompt.
	startTimeout = time.Minute
	closeTimeout = 2 * time.Second
	// TurnTimeout is how long a turn may take where [Options] do not say.
	TurnTimeout = 3 * time.Minute
	// hintTimeout is how long it may take after the user was told of lines that
	// were not understood: what comes after them seldom ends the turn.
	hintTimeout = 5 * time.Second
)

// turn runs one turn as an editor would: it launches this program, and talks to
// it over its stdin and stdout.
func (x *examination) turn(ctx context.Context) {
	started := time.Now()
	reply, stop, err := x.ask(ctx)
	took := time.Since(started).Round(time.Millisecond)
	if err == nil && reply.notice != "" {
		x.report(Warning, "notice", reply.notice, x.checking())
	}
	switch {
	case err != nil && reply.notice != "":
		x.report(Failed, "answer", fmt.Sprintf("%s; before that: %s", err, reply.notice), x.checking())
	case err != nil:
		x.report(Failed, "answer", err.Error(), "See what happens: turnwire run --log-file - --log-level debug hello"+flags(x.Args))
	case stop != agent.StopEndTurn:
		x.report(Failed, "answer", fmt.Sprintf("the turn ended with %s after %s", stop, took), "Ask the agent itself why.")
	case reply.short() == "":
		x.report(Failed, "answer", fmt.Sprintf("the turn ended after %s without an answer", took), x.checking())
	default:
		x.report(OK, "answer", fmt.Sprintf("“%s” after %s", reply.short(), took), "")
	}
}

// checking says how to look closer at the agent.
func (x *examination) checking() string {
	l := parseArgs(x.Args)
	if len(l.command) == 0 || l.agent != "" {
		return "See what happens: turnwire run --log-file - --log-level debug hello" + flags(x.Args)
	}
	words := make([]string, 0, len(l.command))
	for _, word := range l.command {
		words = append(words, quoted(word))
	}
	return "See what is wrong: turnwire check -- " + strings.Join(words, " ")
}

// prompt returns what the agent is asked. The embedded agent knows only
// commands.
func (x *examination) prompt() string {
	if l := parseArgs(x.Args); len(l.command) == 0 && (l.agent == "" || l.agent == embedded) {
		return "/say ready"
	}
	return "Answer with the one word “ready”, and do nothing else."
}

// ask runs the turn, and returns the agent's answer.
func (x *examination) ask(ctx context.Context) (reply answer, stop agent.StopReason, err error) {
	dir, err := os.MkdirTemp("", "turnwire-doctor-")
	if err != nil {
		return reply, "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeout(ctx, x.Timeout)
	defer cancel()
	editor := acp.New(acp.Config{
		Name:         "turnwire",
		Args:         slices.Concat([]string{x.Program}, x.launch()),
		StartTimeout: startTimeout,
	})
	s, err := editor.Open(ctx, agent.Options{SessionID: "doctor", Cwd: dir})
	if err != nil {
		return reply, "", err
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		if closed := s.Close(closing); err == nil { // an earlier error matters more
			err = closed
		}
	}()
	p := x.prompt()
	if err := s.Prompt(agent.Prompt{
		Type: agent.CommandPrompt, SessionID: "doctor", TurnID: "1", Cwd: dir,
		Text: p, Blocks: []agent.Content{{Type: "text", Text: p}},
	}); err != nil {
		return reply, "", err
	}
	stop, err = x.listen(ctx, s, &reply)
	return reply, stop, err
}

// listen waits for the end of the turn. It refuses whatever the agent asks.
func (x *examination) listen(ctx context.Context, s agent.Session, reply *answer) (agent.StopReason, error) {
	var hurry <-chan time.Time // nil unless the agent is not understood
	for {
		var batch agent.Batch
		var open bool
		select {
		case batch, open = <-s.Events():
		case <-hurry:
			return "", errors.New("the agent is not understood, and the turn does not end")
		case <-ctx.Done():
		}
		if !open {
			switch err := ctx.Err(); {
			case errors.Is(err, context.DeadlineExceeded):
				return "", fmt.Errorf("the agent did not end the turn within %s", x.Timeout)
			case err != nil:
				return "", errors.New("the check was stopped before the agent answered")
			}
			return "", errors.New("the agent ended")
		}
		stop, err := handleBatch(batch, s, reply)
		if stop != "" || err != nil {
			return stop, err
		}
		if hurry = nil; reply.notice != "" && reply.short() == "" {
			hurry = time.After(hintTimeout)
		}
	}
}

// handleBatch handles the events of a batch, up to the end of the turn.
func handleBatch(batch agent.Batch, s agent.Session, reply *answer) (agent.StopReason, error) {
	defer batch.Release()
	for event := range batch.Events() {
		switch e := event.(type) {
		case *agent.TextDelta:
			reply.add(e)
		case *agent.Notice:
			reply.addNotice(e)
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

// launch are arguments that launch this program, with which it keeps no session: a
// turn of ours is none of the user's. A server keeps it all the same.
func (x *examination) launch() []string {
	if len(x.Args) == 0 || x.Args[0] != "acp" || x.Server != nil {
		return x.Args
	}
	return slices.Concat(x.Args[:1], []string{"--no-journal"}, x.Args[1:])
}
