package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// A Turn is one prompt and its answer.
type Turn struct {
	// Prompt is the user's prompt.
	Prompt agent.Prompt
	// Session holds the session's options: its folder, its MCP servers, the
	// user's editor.
	Session agent.Options

	session *session
	wire    *lifecycle.Turn
	ctx     context.Context // the turn's context; ends all waits for the user
	done    atomic.Bool
	sending sync.Mutex
}

// errOver reports that an event came after the end of its turn.
var errOver = errors.New("the turn is over")

// Text appends s to the answer.
func (t *Turn) Text(s string) { t.send(&agent.TextDelta{Text: agent.NewText(s)}) }

// Think appends s to the thoughts, which editors show collapsed.
func (t *Turn) Think(s string) { t.send(&agent.ThinkingDelta{Thinking: agent.NewText(s)}) }

// Emit sends any event: a plan, usage, a citation, the session's title. It
// returns an error if a raw value in the event is not JSON, or if the turn is
// over. It also rejects [agent.Done] and a fatal [agent.Error]: the handler sends
// those by returning.
func (t *Turn) Emit(e agent.Event) error {
	switch e := e.(type) {
	case *agent.Done:
		return errors.New("a turn ends when its handler returns, not by an event")
	case *agent.Error:
		if e.Fatal == nil || *e.Fatal {
			return errors.New("a turn fails by the error that its handler returns, not by an event")
		}
	}
	if err := valid(e); err != nil {
		return err
	}
	if !t.send(e) {
		return errOver
	}
	return nil
}

// send sends a valid event. It returns false if the turn is over.
func (t *Turn) send(e agent.Event) bool {
	t.sending.Lock()
	defer t.sending.Unlock()
	return !t.done.Load() && t.wire.Emit(e)
}

// valid returns an error if e can't be encoded as JSON. Its texts always can.
func valid(e agent.Event) error {
	if u, ok := e.(*agent.Unknown); ok && !json.Valid(u.Raw) {
		return errors.New("the raw value of an unknown event is not JSON")
	}
	if _, err := json.Marshal(e); err != nil {
		return fmt.Errorf("%s: %w", e.Type(), err)
	}
	if extra := e.Common().Extra; len(extra) > 0 && !json.Valid(append(append([]byte{'{'}, extra...), '}')) {
		return fmt.Errorf("%s: Extra is not a list of members", e.Type())
	}
	return nil
}

// Ask asks the user a question, and waits for the answer. It sets the question's
// id. It returns [ErrNoAnswer] if the user doesn't answer, or the context's
// error.
func (t *Turn) Ask(q agent.QuestionAsked) (agent.QuestionResponse, error) {
	q.QuestionID = t.session.pending.id("question")
	r, err := await[agent.QuestionResponse](t, q.QuestionID, &q)
	if err == nil && r.Cancelled {
		err = ErrNoAnswer
	}
	return r, err
}

// Choose asks the user to choose one of the options, or to enter any text if
// there are no options.
func (t *Turn) Choose(question string, options ...string) (string, error) {
	r, err := t.Ask(agent.QuestionAsked{Question: question, Options: options})
	return r.Answer, err
}

// await sends the request e and returns the answer to id.
func await[A any](t *Turn, id string, e agent.Event) (answer A, err error) {
	got := t.session.pending.expect(id)
	if err := t.Emit(e); err != nil {
		return answer, err
	}
	select {
	case a := <-got:
		answer, _ = a.(A)
	case <-t.ctx.Done():
	}
	// If a cancel arrived together with the answer, the cancel wins.
	return answer, t.ctx.Err()
}
