package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// A Turn is one prompt and its answer.
type Turn struct {
	// Prompt is what the user said.
	Prompt agent.Prompt
	// Session is what the session was opened with: its folder, its MCP servers,
	// the user's editor.
	Session agent.Options

	session *session
	wire    *turns.Turn
	ctx     context.Context // of the turn; what waits for the user ends with it
	over    atomic.Bool
	sending sync.Mutex
}

// errOver means that an event came after the end of its turn.
var errOver = errors.New("the turn is over")

// Text appends s to the answer.
func (t *Turn) Text(s string) { t.send(&agent.TextDelta{Text: agent.NewText(s)}) }

// Think appends s to the thoughts, which editors show folded.
func (t *Turn) Think(s string) { t.send(&agent.ThinkingDelta{Thinking: agent.NewText(s)}) }

// Emit sends any event: a plan, usage, a citation, the session's title. Its error
// says that a raw value of the event is not JSON, or that the turn is over.
// [agent.Done] and a fatal [agent.Error] are for the handler's return to send,
// and are errors here.
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

// send sends a valid event. False means that it reaches nobody any more.
func (t *Turn) send(e agent.Event) bool {
	t.sending.Lock()
	defer t.sending.Unlock()
	return !t.over.Load() && t.wire.Emit(e)
}

// valid reports why an event cannot be written as JSON. Its texts always can.
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
// id. The error is [ErrNoAnswer], or that of the context.
func (t *Turn) Ask(q agent.QuestionAsked) (agent.QuestionResponse, error) {
	q.QuestionID = t.session.pending.id("question")
	r, err := await[agent.QuestionResponse](t, q.QuestionID, &q)
	if err == nil && r.Cancelled {
		err = ErrNoAnswer
	}
	return r, err
}

// Choose asks the user to choose one of the options, or for any text where there
// are none.
func (t *Turn) Choose(question string, options ...string) (string, error) {
	r, err := t.Ask(agent.QuestionAsked{Question: question, Options: options})
	return r.Answer, err
}

// await sends what asks the user, and returns the answer to id.
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
	// If a cancel came with the answer, the cancel wins.
	return answer, t.ctx.Err()
}
