package agui

import (
	"context"
	"crypto/rand"
	"net/http"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/agui/wire"
	"github.com/turnwire/turnwire/internal/agent/conversation"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// backend is one conversation.
type backend struct {
	runs.Backend
	tools  *tools.Box // nil unless the agent is offered some
	thread *thread.Thread
	input  thread.Input // what all runs' inputs have in common; without a version if the server rejects it
	works  bool         // the server has started a run
	// announce is set until the user knows that the agent uses Turnwire's tools.
	announce bool
	unsaved  bool // the conversation has changed

	// These belong to the running turn.
	prompted bool            // the server gets the prompt
	resume   []thread.Resume // answers for the next run
	state    *wire.State
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error { return b.Run(ctx, t, b) }

// Begin implements [runs.Conversation].
func (b *backend) Begin(t *lifecycle.Turn) {
	b.thread.Begin()
	b.save(t.Emit) // in case the last turn could not
	b.prompted, b.state = false, nil
	if b.resume = b.thread.Refusals(); b.resume == nil {
		b.prompt(t) // otherwise, the second run has the prompt
	}
}

// prompt adds the user's message.
func (b *backend) prompt(t *lifecycle.Turn) {
	b.thread.Say(rand.Text(), thread.Content(t.Prompt), rand.Text)
	b.prompted, b.unsaved, b.resume = true, true, nil
	if b.announce {
		t.Emit(&agent.Notice{Severity: "info", Message: tools.Notice(b.input.Tools)})
	}
	b.announce = false
	b.WarnCut(t, b.thread.Cut)
}

// Open implements [runs.Conversation]. A server that knows only an older version may reject
// its number.
func (b *backend) Open(ctx context.Context) (*httpsse.Stream, dialect.Decoder, error) {
	b.state = wire.NewState(!b.prompted, b.state)
	b.state.Offer(tools.Names(b.input.Tools))
	for {
		events, err := b.Client.Stream(ctx, http.MethodPost, "", b.thread.Input(b.input, rand.Text(), b.resume), "")
		if b.works || b.input.ProtocolVersion == "" || !httpsse.HasStatus(err, http.StatusBadRequest, http.StatusUnprocessableEntity) {
			return events, conversation.NewDecoder(wire.Table, b.state, b.add), err
		}
		b.input.ProtocolVersion = ""
	}
}

// add adds an event to the conversation before it is emitted. If the run ends with it, the
// conversation is saved, because nothing may follow the end of a turn.
func (b *backend) add(l *dialect.Line) bool {
	if b.state.Begun() {
		b.thread.Answered()
	}
	ends, err := b.thread.Apply(l)
	if err != nil {
		b.Log.Warn("an event was not added to the conversation", "error", err)
	}
	if b.unsaved = true; ends {
		for _, e := range b.thread.Unshown() {
			if end, ok := e.(*agent.ToolEnd); ok {
				b.state.End(end)
			}
			l.Emit(e)
		}
		b.save(l.Emit)
	}
	return true
}

// Phase implements [runs.Conversation].
func (b *backend) Phase(*lifecycle.Turn) runs.Phase {
	switch {
	case b.state.Ended():
		return runs.Ended
	case b.state.Begun():
		return runs.Running
	}
	return runs.Unknown
}

// Next implements [runs.Conversation]. The turn goes on if the run was interrupted, or only
// refused what the last turn had left open.
func (b *backend) Next(ctx context.Context, t *lifecycle.Turn, failed error) (more bool, err error) {
	if b.state.Begun() {
		b.thread.Answered()
		b.works = true
		for _, i := range b.state.Interrupts() {
			b.thread.Await(i.Pending)
			b.unsaved = true
		}
	}
	switch {
	case t.IsCancelled() || failed != nil && (b.prompted || !refuses(failed)):
		if b.prompted && !b.state.Begun() {
			b.thread.Retract()
		}
		b.save(t.Emit)
		return false, failed
	case len(b.state.Interrupts())+len(b.state.Left()) > 0:
		b.save(t.Emit)
		if b.resume, err = b.resolve(ctx, t); err != nil {
			return false, err
		}
		b.use(t)
		b.save(t.Emit)
		return true, nil
	case b.prompted:
		return false, nil
	case failed != nil:
		b.Log.Warn("the server refused to cancel the last run's requests", "error", failed)
	}
	b.thread.Answered()
	b.prompt(t)
	return true, nil
}

// refuses reports whether the server doesn't want the answers to its requests.
func refuses(err error) bool {
	return httpsse.HasStatus(err, http.StatusBadRequest, http.StatusConflict, http.StatusGone, http.StatusUnprocessableEntity)
}

// save reports the conversation as the agent's state, if it has changed.
func (b *backend) save(emit func(agent.Event) bool) {
	if b.unsaved {
		b.unsaved = !b.Save(emit, b.thread.Save(agent.MaxState))
	}
}
