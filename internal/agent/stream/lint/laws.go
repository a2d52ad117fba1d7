package lint

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// Limits on what is remembered.
const (
	maxCalls = 1 << 12
	maxArgs  = 1 << 20
)

// Laws check the order of a session's events.
type Laws struct {
	// Prompted means that turns start with [Laws.Begin], as for a running agent.
	// If it is false, as for a file, a turn starts with its first event.
	Prompted bool

	turn    string // the turn's id, if known
	running bool
	begun   bool // there was a turn
	visible bool // the turn has shown something
	ended   bool // the turn has ended, and no other has begun
	strayed bool // an event of the turn named another turn
	calls   map[string]*call
}

type call struct {
	ended bool
	ran   bool
	args  []byte
	lost  bool // args became too long
}

// Begin records that the agent gets a prompt.
func (l *Laws) Begin(turn string) {
	l.turn, l.running, l.begun, l.visible, l.ended, l.strayed = turn, true, true, false, false, false
	l.calls = make(map[string]*call)
}

// Running reports whether a turn has begun and not ended.
func (l *Laws) Running() bool { return l.running }

// Visible reports whether the turn has shown something.
func (l *Laws) Visible() bool { return l.visible }

// Add checks the next event, and passes findings to tell.
func (l *Laws) Add(e agent.Event, tell func(Finding)) {
	if agent.OfSession(e) {
		return
	}
	id := e.Common().TurnID
	switch {
	case l.Prompted && !l.begun:
		tell(about("event-before-prompt", e.Type(), fmt.Sprintf("`%s` came before the first prompt", e.Type()), ""))
		return
	case l.Prompted && id != "" && id != l.turn:
		l.strayed = true
		tell(WrongTurn(e.Type(), id, l.turn))
		return
	case l.Prompted && l.ended:
		tell(about("event-after-done", e.Type(), fmt.Sprintf("`%s` came after the end of its turn and was dropped", e.Type()), ""))
		return
	case l.Prompted:
	case !l.begun:
		l.Begin(id)
	case l.ended && (isNew(e) || id != "" && id != l.turn):
		l.Begin(id)
	case l.ended:
		f := about("event-after-done", e.Type(), fmt.Sprintf("`%s` came after the end of its turn", e.Type()), "")
		switch e.(type) {
		case *agent.Done, *agent.Error:
			f.Severity = Warning // nothing is lost
		default:
			f.Help = "If a new turn starts here, print run_start first. " + f.Help
			l.Begin(id)
		}
		tell(f)
		return
	case id != "" && l.turn != "" && id != l.turn:
		tell(about("wrong-turn", "", fmt.Sprintf("the event belongs to turn %s, but turn %s has not ended", shown(id), shown(l.turn)), ""))
		return
	case id != "":
		l.turn = id
	}
	l.inTurn(e, tell)
}

// WrongTurn returns the finding for an event that names a turn other than the
// running one.
func WrongTurn(event, id, running string) Finding {
	return about("wrong-turn", "", fmt.Sprintf("`%s` was dropped: it belongs to turn %s, but turn %s is running", event, shown(id), shown(running)), "")
}

func isNew(e agent.Event) bool {
	_, ok := e.(*agent.RunStart)
	return ok
}

// End records that no more events follow.
func (l *Laws) End(tell func(Finding)) {
	if l.running {
		tell(New("no-done", "the stream ended during a turn, without `done` or `error`"))
	}
}

func (l *Laws) inTurn(e agent.Event, tell func(Finding)) {
	switch e := e.(type) {
	case *agent.TextDelta:
		l.visible = l.visible || strings.TrimSpace(e.Text.String()) != ""
	case *agent.ContentBlock, *agent.Citation, *agent.Plan, *agent.QuestionAsked, *agent.SubagentStart, *agent.SubagentEnd, *agent.Halt:
		l.visible = true
	case *agent.ToolPending:
		l.start(e.ToolCallID, false, tell)
	case *agent.ToolReady:
		l.start(e.ToolCallID, false, tell)
		l.whole(e.ToolCallID, tell)
	case *agent.ApprovalRequired:
		l.start(e.ToolCallID, false, tell)
	case *agent.ToolStart:
		l.start(e.ToolCallID, true, tell)
		l.whole(e.ToolCallID, tell)
	case *agent.ToolArgsDelta:
		l.args(e)
	case *agent.ToolOutput:
		l.known(e.ToolCallID, "tool_output", tell)
	case *agent.ToolProgress:
		if e.ToolCallID != "" {
			l.known(e.ToolCallID, "tool_progress", tell)
		}
	case *agent.ConfirmationRequested:
		l.start(e.ToolCallID, false, tell)
		l.options(e, tell)
	case *agent.ToolEnd:
		l.end(e, tell)
	case *agent.Error:
		if e.Fatal == nil || *e.Fatal {
			l.ended, l.running = true, false
		}
	case *agent.Done:
		l.done(e, tell)
	}
}

// start records a call that is announced or runs.
func (l *Laws) start(id string, runs bool, tell func(Finding)) *call {
	l.visible = true
	c := l.calls[id]
	if c != nil && !c.ended {
		if runs && c.ran && id != "" {
			tell(about("started-twice", "", fmt.Sprintf("the call %s was started again while it was running", shown(id)), ""))
		}
		c.ran = c.ran || runs
		return c
	}
	c = &call{ran: runs}
	if id != "" && len(l.calls) < maxCalls {
		l.calls[id] = c
	}
	return c
}

// known reports an event about a call that was never announced.
func (l *Laws) known(id, event string, tell func(Finding)) {
	if l.calls[id] == nil && id != "" && len(l.calls) < maxCalls {
		f := about("end-without-start", event, fmt.Sprintf("%s without tool_start: unknown call %s", event, shown(id)), "")
		f.Path = "$.toolCallId"
		tell(f)
		l.start(id, true, tell)
	}
}

func (l *Laws) args(e *agent.ToolArgsDelta) {
	c := l.calls[e.ToolCallID]
	if c == nil {
		c = l.start(e.ToolCallID, false, func(Finding) {})
	}
	if c.lost = c.lost || len(c.args)+e.Delta.Len() > maxArgs; c.lost {
		c.args = nil
		return
	}
	c.args = append(c.args, e.Delta.String()...)
}

// whole checks that the pieces of a call's arguments form valid JSON.
func (l *Laws) whole(id string, tell func(Finding)) {
	c := l.calls[id]
	if c == nil || len(c.args) == 0 || c.lost {
		return
	}
	if !json.Valid(c.args) {
		tell(about("bad-arguments", "", fmt.Sprintf("the argument pieces of the call %s don't form valid JSON", shown(id)), ""))
	}
	c.args = nil
}

func (l *Laws) options(e *agent.ConfirmationRequested, tell func(Finding)) {
	ids := make(map[string]bool)
	for i, o := range e.Options {
		f := about("bad-options", "", "", "")
		f.Path = fmt.Sprintf("$.options[%d]", i)
		switch {
		case o.ID == "":
			f.Message = "the option has no id, so it can't be selected"
		case ids[o.ID]:
			f.Message = "two options have the id " + shown(o.ID) + ", so the call is refused without asking the user"
		case !o.Kind.Known():
			f.Message = fmt.Sprintf("unknown option kind %s (use allow_once, allow_always, reject_once or reject_always)", shown(string(o.Kind)))
		default:
			ids[o.ID] = true
			continue
		}
		tell(f)
		return
	}
	for i, d := range e.Decisions {
		if !d.Known() {
			f := about("unknown-value", "decisions", fmt.Sprintf("unknown decision %s (use allow_once, allow_always, reject_once or reject_always)", shown(string(d))), "")
			f.Path = fmt.Sprintf("$.decisions[%d]", i)
			tell(f)
			return
		}
	}
}

func (l *Laws) end(e *agent.ToolEnd, tell func(Finding)) {
	if e.ToolCallID == "" {
		return
	}
	c := l.calls[e.ToolCallID]
	switch {
	case c == nil:
		l.known(e.ToolCallID, "tool_end", tell)
		c = l.calls[e.ToolCallID]
	case c.ended:
		tell(about("ended-twice", "", fmt.Sprintf("the call %s had already ended", shown(e.ToolCallID)), ""))
	}
	if c != nil {
		c.ended, c.args = true, nil
	}
	l.visible = true
}

func (l *Laws) done(e *agent.Done, tell func(Finding)) {
	for id, c := range l.calls {
		if !c.ended && e.StopReason != agent.StopCancelled {
			tell(about("call-not-ended", "", fmt.Sprintf("the call %s was still open when the turn ended", shown(id)), ""))
			break
		}
	}
	if !l.visible && e.Text == "" && (e.StopReason == "" || e.StopReason == agent.StopEndTurn) {
		tell(New("empty-turn", "the turn ended without showing any text or tool call"))
	}
	l.ended, l.running = true, false
}

// Strayed reports whether an event of the turn named another turn.
func (l *Laws) Strayed() bool { return l.strayed }
