package agui

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/agui/wire"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// linger is how long a server may take to close a stream whose run has ended. Some store
// the conversation then, and stop if the client is gone.
const linger = 2 * time.Second

// backend is one conversation. Only Turn uses its fields, except answers.
type backend struct {
	config Config
	client *httpsse.Client
	log    *slog.Logger
	id     string     // of the thread
	tools  *tools.Box // nil unless the agent is offered some

	thread   *thread.Thread
	version  string // "" if the server rejects it
	works    bool   // the server has started a run
	notified bool   // the user knows that old turns are missing
	// announce is set until the user knows that the agent uses Turnwire's tools.
	announce bool
	unsaved  bool // the conversation has changed

	answers lifecycle.Answers[wire.Answer]
}

// Turn implements [lifecycle.Backend].
func (b *backend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	ctx, end := t.UntilCancelled(ctx)
	defer end()
	b.answers.Begin()
	if t.IsCancelled() { // before there was anything to stop
		return nil
	}
	b.thread.Begin()
	b.save(t) // in case the last turn could not
	resume := b.thread.Refusals()
	var state *wire.State
	for prompted := false; ; {
		if !prompted && resume == nil {
			content, err := thread.Content(t.Prompt)
			if err != nil {
				return err
			}
			b.thread.Say(rand.Text(), content, rand.Text)
			prompted, b.unsaved = true, true
			b.tell(t)
		}
		state = wire.NewState(!prompted, state)
		state.Offer(tools.Names(b.config.Tools))
		err := b.run(ctx, t, state, resume)
		if state.Begun() {
			b.thread.Answered()
			b.works = true
			for _, i := range state.Interrupts() {
				b.thread.Await(thread.Pending{ID: i.ID, Legacy: i.Legacy, Refusal: i.Refusal})
				b.unsaved = true
			}
		}
		switch {
		case t.IsCancelled() || err != nil && (prompted || !httpsse.HasStatus(err, http.StatusBadRequest, http.StatusConflict, http.StatusGone, http.StatusUnprocessableEntity)):
			if prompted && !state.Begun() {
				b.thread.Retract()
			}
			b.save(t)
			return err
		case len(state.Interrupts())+len(state.Left()) > 0:
			b.save(t)
			resume = nil
			if len(state.Interrupts()) > 0 {
				if resume, err = b.resolve(ctx, t, state); err != nil {
					return err
				}
			}
			b.use(t, state)
			if t.IsCancelled() {
				b.save(t)
				return nil
			}
		case prompted:
			return nil
		default:
			if err != nil {
				b.log.Warn("the server refused to cancel the last run's requests", "error", err)
			}
			b.thread.Answered()
			resume = nil
		}
	}
}

// run runs one run until the server has closed its stream. The turn goes on if the run was
// interrupted.
func (b *backend) run(ctx context.Context, t *lifecycle.Turn, state *wire.State, resume []thread.Resume) error {
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	events, err := b.open(ctx, resume)
	if err != nil {
		return err
	}
	defer events.Close()
	d := wire.NewDecoder(state)
	status := "it sent nothing"
	for event, err := range events.All() {
		if state.Ended() {
			continue // the server is about to close the stream
		}
		if err != nil {
			return err
		}
		if line := event.Line(); !b.addEvent(t, state, line) || !t.Decode(d, line) {
			return nil // the turn's receiver has stopped it
		}
		if status = ""; state.Ended() {
			defer time.AfterFunc(linger, leave).Stop()
		}
	}
	switch {
	case state.Ended():
		return nil
	case !state.Begun() && status == "":
		return &foreignError{b.client.URL()}
	}
	return &httpsse.CutOffError{URL: b.client.URL(), Status: status}
}

// open posts the input. A server that knows only an older version may reject its number.
func (b *backend) open(ctx context.Context, resume []thread.Resume) (*httpsse.Stream, error) {
	for {
		in := thread.Input{
			ThreadID: b.id, RunID: rand.Text(), ProtocolVersion: b.version, Context: b.config.Context,
			ForwardedProps: b.config.ForwardedProps, Resume: resume,
			Tools: b.config.Tools,
		}
		if err := b.thread.Fill(&in); err != nil {
			return nil, err
		}
		events, err := b.client.Stream(ctx, http.MethodPost, "", &in, "")
		if b.works || b.version == "" || !httpsse.HasStatus(err, http.StatusBadRequest, http.StatusUnprocessableEntity) {
			return events, err
		}
		b.version = ""
	}
}

// addEvent adds an event to the conversation. If the run ends with it, the conversation is
// saved first, because nothing may follow the end of a turn.
func (b *backend) addEvent(t *lifecycle.Turn, state *wire.State, line []byte) bool {
	if b.config.Tap != nil {
		b.config.Tap(line)
	}
	if state.Begun() {
		b.thread.Answered()
	}
	ends, err := b.thread.Apply(line)
	if err != nil {
		b.log.Warn("an event was not added to the conversation", "error", err)
	}
	b.unsaved = true
	if !ends {
		return true
	}
	for _, e := range b.thread.Unshown() {
		if end, ok := e.(*agent.ToolEnd); ok {
			state.End(end)
		}
		if !t.Emit(e) {
			return false
		}
	}
	b.save(t)
	return true
}

// save reports the conversation as the agent's state, if it has changed.
func (b *backend) save(t *lifecycle.Turn) {
	if !b.unsaved {
		return
	}
	saved := b.thread.Save(agent.MaxState)
	if saved == nil {
		b.log.Warn("the conversation is too large to be saved", "limit", agent.MaxState)
	}
	b.unsaved = saved != nil && !t.Emit(&agent.State{State: saved})
}

// tell says, once, that a server gets to see the user's files, and that it doesn't know the
// oldest turns any more.
func (b *backend) tell(t *lifecycle.Turn) {
	if b.announce {
		t.Emit(&agent.Notice{Severity: "info", Message: tools.Notice(b.config.Tools)})
	}
	if !b.notified && b.thread.IsCut() {
		t.Emit(&agent.Notice{Severity: "warning", Message: "This conversation is too large: its oldest messages are no longer sent to the agent."})
	}
	b.announce, b.notified = false, b.thread.IsCut()
}

// Confirm implements [lifecycle.Backend]. The next run carries the decision.
func (b *backend) Confirm(_ context.Context, r agent.ConfirmationResponse) error {
	b.answers.Add(r.ConfirmationID, wire.Answer{Decision: r.Decision})
	return nil
}

// Answer implements [lifecycle.Backend].
func (b *backend) Answer(_ context.Context, r agent.QuestionResponse) error {
	b.answers.Add(r.QuestionID, wire.Answer{Response: r})
	return nil
}

// Cancel implements [lifecycle.Backend]. The turn's context has closed the stream.
func (*backend) Cancel(context.Context, string) error { return nil }

// Close implements [lifecycle.Backend].
func (b *backend) Close(context.Context) error {
	b.client.Close()
	return nil
}
