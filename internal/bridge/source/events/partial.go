package events

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/partial"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// parts are the accepted parts of changes that the agent wanted to make by itself. They
// belong to the session's goroutine.
type parts struct {
	life    context.Context
	files   agent.Options // where Turnwire writes them
	local   bool          // the agent's files are there too
	stream  *stream
	turn    *turn
	written int
	late    []func() // show what was written between turns
	unsent  []string // messages that the agent did not get yet
}

// offerPart offers a part of a change, if that is possible. The agent's option that rejects
// the call is used then, because an "allow" would permit everything.
func (cs *confirmations) offerPart(c *confirmation, req *v1.RequestPermissionRequest) {
	if !cs.parts.local {
		return
	}
	_, reject, ok := partial.Offer(v1.AppendValue(nil, *req), offered(req.Options), cs.callOf(c), cs.parts.files)
	if ok {
		c.reject = reject
		req.Meta = v1.Meta{v1.PartialMeta: true}
	}
}

// writePart writes the accepted part of a change. Meanwhile, the agent waits for its answer.
func (cs *confirmations) writePart(a *pendingRequest, c *confirmation, answer core.Answer) {
	ctx, stop := context.WithCancel(cs.parts.life)
	a.withdraw, c.stop = nil, stop
	cs.pending.open = append(cs.pending.open, a)
	made := consent.Of(cs.callOf(c), time.Now()).Answered(answer.Chosen, answer.By).InPart(true)
	undecided := cs.undecided(c, turnCancelled)
	go func() {
		defer stop()
		turn := turnContext{ctx, cs.queue}
		err := partial.Write(turn, cs.parts.life, cs.parts.files, answer.Accepted[0])
		switch {
		case err != nil && turn.Err() != nil:
			made = undecided
		case err != nil:
			made = undecided.Open("the accepted part was not written: " + err.Error())
		}
		if cs.rules.audit != nil { // now, because the session's goroutine may have ended
			cs.rules.audit(made)
		}
		cs.pending.loop.add(func() { cs.wrote(a, c, answer.Accepted[0], made, err) })
	}()
}

// wrote rejects the call whose part was written, and says what was written and what was not.
func (cs *confirmations) wrote(a *pendingRequest, c *confirmation, accepted core.Accepted, made consent.Decision, failure error) {
	waits := cs.pending.remove(a)
	if waits {
		cs.tell(c, c.response(agent.RejectOnce, c.reject.ID))
	}
	cs.record.decision(made)
	switch {
	case failure == nil:
		cs.parts.show(c, accepted)
		cs.parts.unsent = append(cs.parts.unsent, partial.Message(cs.peers.cwd, accepted))
	case waits:
		cs.parts.stream.notice(&agent.Notice{
			Severity: "error", Message: "The part of the change that you accepted was not written.", Description: failure.Error(),
		})
	}
	cs.pending.sendDeferred()
}

// show shows what was written as a call, now or with the next turn.
func (p *parts) show(c *confirmation, a core.Accepted) {
	p.written++
	id := c.call + ".part-" + strconv.Itoa(p.written)
	show := func() {
		view := agent.View{
			Title: partial.Title(p.files.Cwd, a), Kind: string(v1.KindEdit), Locations: []agent.Location{{Path: a.Path}},
			Diffs: []agent.Diff{{Path: a.Path, OldText: a.OldText, NewText: a.Text}},
		}
		p.stream.add(&agent.ToolStart{ToolCallID: id, ToolName: "accepted_part", View: view})
		p.stream.add(&agent.ToolEnd{ToolCallID: id, ToolName: "accepted_part", OK: true, View: view})
	}
	if p.turn.running {
		show()
		return
	}
	p.late = append(p.late, show)
}

// turnContext is a context that also ends when a cancel of the turn is read, even if the
// session's goroutine didn't see it yet.
type turnContext struct {
	context.Context

	queue *queue
}

// Err implements [context.Context].
func (c turnContext) Err() error {
	if err := c.Context.Err(); err != nil || !c.queue.isCancelled() {
		return err
	}
	return context.Canceled
}

// showLate shows what was written between turns.
func (p *parts) showLate() {
	late := p.late
	p.late = nil
	for _, show := range late {
		show()
	}
}

// message removes the messages, and returns them as one, or nil if the agent was told
// everything.
func (p *parts) message() []agent.Content {
	if len(p.unsent) == 0 {
		return nil
	}
	text := strings.Join(p.unsent, "\n\n")
	p.unsent = nil
	return []agent.Content{{Type: "text", Text: text}}
}

// goOn starts another turn for the same prompt, which tells the agent about the changes that
// were made in part. It reports whether it does. It doesn't if the agent has reached a limit,
// or refuses to go on.
func (s *session) goOn(end agent.Event) (back []*prompt, does bool) {
	parts := s.pending.confirmations.parts
	stop, err := acpmap.Stop(end)
	if err != nil || stop != v1.StopEndTurn && stop != v1.StopCancelled || len(parts.unsent) == 0 {
		return nil, false
	}
	q := s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	p := q.current
	if p == nil || p.cancelled || q.closed {
		return nil, false
	}
	q.current = nil
	back = q.endSteering()
	p.blocks, p.tells, p.steer, p.delivered = parts.message(), true, nil, false
	q.waiting = slices.Insert(q.waiting, 0, p)
	return back, true
}

// withParts adds to a prompt what the agent could not be told before. It returns what the
// client doesn't know of the prompt, or nil. A command stays as it is: the agent is told when
// it has ended.
func (s *session) withParts(p *prompt) (told []agent.Content) {
	switch {
	case p.tells:
		return p.blocks
	case strings.HasPrefix(flatten(p.blocks), "/"):
		return nil
	}
	told = s.pending.confirmations.parts.message()
	p.blocks = slices.Concat(told, p.blocks)
	return told
}
