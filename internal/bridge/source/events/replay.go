package events

import (
	"context"
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A replay shows a session's records again, and restores the session's state from them.
// The events pass through the session's own normalizer, so live events continue the
// same ids and totals. Nothing is asked again.
type replay struct {
	session    *session
	normalizer *normalize.Normalizer // of the session
	children   *children             // of the session
	store      journal.Store
	shown      bool // to the editor
	decoder    dialect.Decoder
	turn       string                               // the turn of the last prompt
	cutOff     string                               // why that turn is cut off, if it has no end
	calls      map[string]bool                      // the ids of the calls so far
	changed    map[*normalize.Tool]normalize.Fields // skipped updates of running calls
	asked      []*replayedQuestion                  // not answered yet
	chosen     []agent.SetOption
	title      string   // the agent's latest title
	times      v1.Times // of the current record, if the editor wants it
}

func newReplay(s *session, store journal.Store, shown bool) *replay {
	return &replay{
		session:  s,
		children: s.out.children,
		store:    store,
		shown:    shown,
		decoder:  native.Dialect.NewDecoder(),
		calls:    make(map[string]bool),
		changed:  make(map[*normalize.Tool]normalize.Fields),
		cutOff:   core.Interrupted,
	}
}

// run replays the session. It ends a turn that was cut off.
func (p *replay) run(ctx context.Context) error {
	return p.session.stream.replay(func(n *normalize.Normalizer) error {
		p.normalizer = n
		return p.records(ctx)
	})
}

func (p *replay) records(ctx context.Context) error {
	s := p.session
	s.memory.listen(true)
	for r, err := range p.store.Read(s.peers.id, 1) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if s.peers.client.times {
			p.times = v1.TimesAt(r.Time.UnixMilli())
		}
		if err := p.add(r); err != nil {
			return fmt.Errorf("read session %s: record %d: %w", s.peers.id, r.Seq, err)
		}
	}
	if p.normalizer.Running() {
		p.interrupt()
	}
	s.queue.number(s.cursors.prompts)
	p.retitle()
	s.peers.view.Flush()
	return nil
}

// retitle shows the title that the user set. It is not in the records.
func (p *replay) retitle() {
	s := p.session
	if now, err := p.store.Describe(s.peers.id); err == nil && p.title != "" && now.Title != p.title {
		p.send(&v1.SessionInfoUpdate{Title: now.Title})
	}
}

// add replays a record. It skips types from later versions.
func (p *replay) add(r journal.Record) error {
	switch r.Type {
	case journal.TypePrompt:
		var c agent.Prompt
		if err := exactjson.Unmarshal(r.Data, &c); err != nil {
			return err
		}
		p.prompt(&c)
	case journal.TypeCommand:
		return p.command(r.Data)
	case journal.TypeDecision:
		return p.decided(r.Data)
	case journal.TypeFork:
		return p.fork(r.Data)
	case journal.TypeEvent:
		return p.decoder.Decode(r.Data, func(e agent.Event) bool {
			p.event(e)
			return true
		})
	}
	return nil
}

// prompt replays a prompt. A prompt within the running turn answers a question.
func (p *replay) prompt(c *agent.Prompt) {
	s := p.session
	starts := !p.normalizer.Running() || c.TurnID != p.turn
	if starts {
		if p.normalizer.Running() {
			p.interrupt()
		}
		p.normalizer.Begin(c.TurnID)
		p.children.begin()
		s.memory.begin(c.Text)
		p.cutOff = core.Interrupted
	}
	for _, q := range p.asked {
		p.showQuestion(q) // before the answer to it
	}
	p.turn = c.TurnID
	n := s.cursors.prompt()
	id := userMessage(n)
	for _, u := range acpmap.User(c.Blocks, id) {
		p.send(u)
	}
	if u := s.cursors.announce(n, id); starts && u != nil {
		p.send(u)
	}
}

// command replays a decision, answer or choice of the user.
func (p *replay) command(data []byte) error {
	var c struct {
		Type string `json:"type"`
	}
	if err := exactjson.Unmarshal(data, &c); err != nil {
		return err
	}
	switch c.Type {
	case agent.CommandQuestion:
		var r agent.QuestionResponse
		if err := exactjson.Unmarshal(data, &r); err != nil {
			return err
		}
		p.answer(&r)
	case agent.CommandSetOption:
		var r agent.SetOption
		if err := exactjson.Unmarshal(data, &r); err != nil {
			return err
		}
		p.chosen = slices.DeleteFunc(p.chosen, func(c agent.SetOption) bool { return c.OptionID == r.OptionID })
		p.chosen = append(p.chosen, r)
	}
	return nil
}

// fork replays that the records so far are a copy of another session.
func (p *replay) fork(data []byte) error {
	var r forkRecord
	if err := exactjson.Unmarshal(data, &r); err != nil {
		return err
	}
	p.session.memory.fork(r.Of, r.Rewound)
	p.cutOff = core.Copied
	return nil
}

// event replays an event. It skips what an agent offers, because only the running agent
// can say that.
func (p *replay) event(e agent.Event) {
	switch e.(type) {
	case *agent.Introduction, *agent.AvailableCommands, *agent.ModeChanged, *agent.ModelChanged, *agent.ConfigOptions:
		return
	}
	p.normalizer.Add(e, p.step)
}

func (p *replay) step(step normalize.Step) {
	s := p.session
	switch e := step.Event.(type) {
	case *agent.TextDelta:
		s.memory.add(e.Text)
	case *agent.UserMessage:
		s.memory.user(textOf(e))
	case *agent.State:
		s.memory.keep(e.State)
		return
	case *agent.SessionTitle:
		p.title = e.Title
	case *agent.QuestionAsked:
		if e.Refusal == "" {
			q := &replayedQuestion{event: *e, at: p.children.of(step.Tool)}
			if step.Tool != nil {
				q.asker = step.Tool.ID
			}
			p.asked = append(p.asked, q)
		}
	}
	t := step.Tool
	if t != nil {
		p.calls[t.ID] = true
	}
	if t != nil && !step.First {
		if !t.Status.Terminal() && !p.needsAll(step) {
			p.changed[t] |= step.Changed
			return
		}
		step.Changed |= p.changed[t]
		delete(p.changed, t)
	}
	p.children.show(step, acpmap.Map(step, s.peers.client.shows), p.sendTo)
	if step.End {
		clear(p.changed)
		p.asked = nil
		s.memory.end(step.Event)
		if u := acpmap.StopUpdate(step.Event); u != nil {
			p.send(u)
		}
		p.failed(step.Event)
	}
}

// needsAll reports whether an update of a running call must be shown: terminals are
// shown piece by piece.
func (p *replay) needsAll(step normalize.Step) bool {
	_, output := step.Event.(*agent.ToolOutput)
	return output && p.session.peers.client.shows.TerminalMeta
}

// failed shows why a turn failed. Originally, the prompt's response said so.
func (p *replay) failed(end agent.Event) {
	if e, ok := end.(*agent.Error); ok {
		p.normalizer.Add(&agent.Notice{Severity: "error", Message: e.Error}, p.step)
	}
}

// interrupt ends a turn that was cut off, both here and in the journal.
func (p *replay) interrupt() {
	s := p.session
	p.normalizer.Fail(&agent.Error{
		Error: p.cutOff,
		Code:  "interrupted",
		Base:  agent.Base{TurnID: p.turn},
	}, func(step normalize.Step) {
		s.record.step(step)
		p.step(step)
	})
}

// send shows an update. It blocks while the editor does not read.
func (p *replay) send(u v1.Update) { p.sendTo(addressed{p.session.peers.id, u}) }

func (p *replay) sendTo(a addressed) {
	if !p.shown {
		return
	}
	s := p.session
	s.peers.sent(s.peers.view.Update(a.session, a.update, p.times))
}
