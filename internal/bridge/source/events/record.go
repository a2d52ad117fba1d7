package events

import (
	"log/slog"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/visible"
)

// A record writes a session to its journal. A nil record saves nothing. Its recorder
// has its own lock; everything else belongs to the session's goroutine.
type record struct {
	recorder *journal.Recorder
	work     *journal.Work // of the source
	id       string        // the session's
	log      *slog.Logger
	isEnding func() bool // reports whether the connection is ending
	title    string      // the agent's latest title, if not saved yet
}

// begin creates the session in the journal, although it has no records yet.
func (r *record) begin() {
	if r != nil {
		r.recorder.Begin()
	}
}

// add adds a record. build appends the record's data to its argument.
func (r *record) add(kind string, build func(dst []byte) []byte) {
	if r != nil {
		r.recorder.Add(time.Now(), kind, build)
	}
}

func (r *record) event(e agent.Event) {
	r.add(journal.TypeEvent, func(dst []byte) []byte { return agent.AppendJSON(dst, e) })
}

// prompt records the start of a turn.
func (r *record) prompt(p agent.Prompt) {
	r.add(journal.TypePrompt, func(dst []byte) []byte { return agent.AppendCommand(dst, p) })
}

// command records a decision, answer or choice of the user. It may be called on any
// goroutine.
func (r *record) command(command any) {
	r.add(journal.TypeCommand, func(dst []byte) []byte { return agent.AppendCommand(dst, command) })
}

// text records a piece of text. This is the hot path.
func (r *record) text(e agent.Event) {
	if r == nil {
		return
	}
	switch e := e.(type) {
	case *agent.TextDelta:
		r.recorder.AddText("text_delta", "text", e.MessageID, rawjson.Body(e.Text))
	case *agent.ThinkingDelta:
		r.recorder.AddText("thinking_delta", "thinking", e.MessageID, rawjson.Body(e.Thinking))
	}
}

// step records an event that is not text.
func (r *record) step(step normalize.Step) {
	if r == nil {
		return
	}
	e := recorded(step)
	if e == nil {
		return
	}
	r.event(e)
	if t, ok := e.(*agent.SessionTitle); ok {
		r.title = t.Title
	}
}

// recorded returns a step's event as a later reader needs it: with the call as it was
// shown, and without anything that other records contain. It returns nil if nothing
// remains.
func recorded(step normalize.Step) agent.Event {
	const described = normalize.FieldTitle | normalize.FieldKind | normalize.FieldLocations | normalize.FieldDiffs
	t := step.Tool
	view := func(v *agent.View) {
		*v = agent.View{}
		if t != nil && (step.First || step.Changed&described != 0) {
			*v = t.View
		}
	}
	args := func(a *agent.Raw) {
		*a = nil
		if t != nil && (step.First || step.Changed.Has(normalize.FieldArgs)) {
			*a = t.Args
		}
	}
	switch e := step.Event.(type) {
	case *agent.ToolArgsDelta, *agent.EditorRequested, *agent.ToolRequested, *agent.OptionRefused:
		return nil
	case *agent.ToolOutput:
		if e.Text.IsZero() && !e.Replace {
			return nil // the output is only repeated
		}
	case *agent.ToolPending:
		c := *e
		view(&c.View)
		return &c
	case *agent.ToolReady:
		c := *e
		view(&c.View)
		args(&c.Args)
		return &c
	case *agent.ToolStart:
		c := *e
		view(&c.View)
		args(&c.Args)
		return &c
	case *agent.ToolEnd:
		c := *e
		view(&c.View)
		return &c
	case *agent.ConfirmationRequested:
		c := *e
		view(&c.View)
		args(&c.Args)
		return &c
	case *agent.Done:
		return &agent.Done{StopReason: e.StopReason, TurnCount: e.TurnCount, TraceID: e.TraceID, Base: agent.Base{TurnID: e.TurnID}}
	}
	return step.Event
}

// sync waits until the records are on disk, or until writing them failed. It also saves
// a pending title.
func (r *record) sync() {
	if r != nil {
		<-r.beginSync()
	}
}

// beginSync is sync in the background. done is closed at its end.
func (r *record) beginSync() (done <-chan struct{}) {
	if r == nil {
		return nil
	}
	title := r.title
	r.title = ""
	return r.work.Post(r.id, func() {
		// Don't wait for the disk if the connection is ending: the operating system has the
		// records, and many sessions may be using the disk.
		if !r.isEnding() {
			r.recorder.Sync()
		}
		if title == "" {
			return
		}
		if err := r.retitle(title, false); err != nil {
			r.log.Warn("the session's title was not saved", "error", err)
		}
	})
}

// retitle changes the session's title. It may be called on any goroutine.
func (r *record) retitle(title string, byUser bool) error { return r.recorder.Retitle(title, byUser) }

// awaitRoom blocks while too many records wait for the store.
func (r *record) awaitRoom() {
	if r != nil {
		r.recorder.AwaitRoom()
	}
}

// flush writes the records that are still in memory. It may be called on any goroutine.
func (r *record) flush() {
	if r != nil {
		r.recorder.Flush()
	}
}

// failure returns a notice, once, if the session can no longer be saved. Otherwise it
// returns nil.
func (r *record) failure() *agent.Notice {
	if r == nil {
		return nil
	}
	err := r.recorder.Failure()
	if err == nil {
		return nil
	}
	r.log.Error("the session is no longer recorded", "error", err)
	return &agent.Notice{
		Severity:    "warning",
		Message:     "This session is no longer saved: " + visible.Text(err.Error()),
		Description: "It continues, but messages from now on will be missing when it is reopened.",
	}
}

// close releases the session's journal.
func (r *record) close() {
	if r == nil {
		return
	}
	r.recorder.End()
	<-r.work.Post(r.id, func() {
		if err := r.recorder.Close(); err != nil {
			r.log.Warn("the session's journal could not be closed", "error", err)
		}
	})
}

// decision records who decided a permission request.
func (r *record) decision(d consent.Decision) {
	if r != nil {
		r.recorder.AddData(d.Time, journal.TypeDecision, d.Line())
	}
}
