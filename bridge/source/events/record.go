package events

import (
	"maps"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/normalize"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/internal/rawjson"
	"github.com/turnwire/turnwire/internal/visible"
)

// header is that of the session's journal.
func (s *session) header(roots []string) journal.Header {
	return journal.Header{ID: s.peers.id, Agent: s.source.key, Cwd: s.peers.cwd, Roots: roots}
}

// newRecorder returns the recorder of a new session, or nil if none is kept.
func (c *source) newRecorder(h journal.Header) *journal.Recorder {
	if c.journal == nil {
		return nil
	}
	return journal.NewRecorder(func() (journal.Journal, error) { return c.journal.Create(h) }, c.recorders.Add)
}

// recordPrompt records the beginning of a turn.
func (s *session) recordPrompt(p agent.Prompt) {
	if s.recorder == nil {
		return
	}
	s.recorder.Add(time.Now(), journal.TypePrompt, func(dst []byte) []byte { return agent.AppendCommand(dst, p) })
}

// recordCommand records what the user has decided, answered or chosen.
func (s *session) recordCommand(command any) {
	if s.recorder != nil {
		s.recorder.Add(time.Now(), journal.TypeCommand, func(dst []byte) []byte { return agent.AppendCommand(dst, command) })
	}
}

// recordText records a piece of text. This is the hot path.
func (s *session) recordText(e agent.Event) {
	if s.recorder == nil {
		return
	}
	switch e := e.(type) {
	case *agent.TextDelta:
		s.recorder.AddText("text_delta", "text", e.MessageID, rawjson.Body(e.Text))
	case *agent.ThinkingDelta:
		s.recorder.AddText("thinking_delta", "thinking", e.MessageID, rawjson.Body(e.Thinking))
	}
}

// recordStep records an event that is not text.
func (s *session) recordStep(step normalize.Step) {
	if s.recorder == nil {
		return
	}
	e := recorded(step)
	if e == nil {
		return
	}
	s.recorder.Add(time.Now(), journal.TypeEvent, func(dst []byte) []byte { return agent.AppendJSON(dst, e) })
	if t, ok := e.(*agent.SessionTitle); ok {
		s.title = t.Title
	}
}

// recorded returns the event of a step as a later reader needs it: with the call
// as it was shown, and without what other records have. It is nil if nothing is
// left.
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
	case *agent.ToolArgsDelta, *agent.EditorRequested, *agent.OptionRefused:
		return nil
	case *agent.ToolOutput:
		if e.Text.IsZero() && !e.Replace {
			return nil // it is only shown again
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

// syncRecord returns when what was recorded is on the disk, or that has failed.
// At the end of the connection the system has it, and the editor does not wait
// for a disk that many sessions want at once.
func (s *session) syncRecord() {
	if s.recorder == nil {
		return
	}
	if !s.source.isEnding() {
		s.recorder.Sync()
	}
	title := s.title
	if s.title = ""; title == "" {
		return
	}
	if err := s.recorder.Retitle(title, false); err != nil {
		s.peers.log.Warn("the session's title is not kept", "error", err)
	}
}

// tellUnrecorded tells the user, once, that the session is not kept any more.
func (s *session) tellUnrecorded() {
	if s.recorder == nil {
		return
	}
	err := s.recorder.Failure()
	if err == nil {
		return
	}
	s.peers.log.Error("the session is not recorded any more", "error", err)
	s.normalizer.Add(&agent.Notice{
		Severity:    "warning",
		Message:     "This session is not kept any more: " + visible.Text(err.Error()),
		Description: "It goes on, but what is said from now on will be missing when it is opened again.",
	}, s.step)
}

// closeRecord gives the session's journal up.
func (s *session) closeRecord() {
	if s.recorder == nil {
		return
	}
	if err := s.recorder.Close(); err != nil {
		s.peers.log.Warn("the session's journal could not be closed", "error", err)
	}
}

// withoutSecrets returns an answer as it is kept: nobody expects to find in a
// file what was typed into a field that hides it.
func withoutSecrets(r agent.QuestionResponse, fields []agent.Field) agent.QuestionResponse {
	r.Values = maps.Clone(r.Values)
	for _, f := range fields {
		if f.Secret {
			delete(r.Values, f.Name)
		}
	}
	return r
}

// recordAdvice records a prompt that went to the turn that runs. The reader and the
// session's goroutine call it.
func (s *session) recordAdvice(p *prompt) {
	if s.recorder == nil {
		return
	}
	e := &agent.UserMessage{Content: p.blocks}
	s.recorder.Add(time.Now(), journal.TypeEvent, func(dst []byte) []byte { return agent.AppendJSON(dst, e) })
}
