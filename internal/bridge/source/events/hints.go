package events

import (
	"fmt"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

const (
	// hintWait is how long a turn may show nothing after unparsable lines before the
	// user is told about them.
	hintWait = 1500 * time.Millisecond
	// maxHints bounds the kinds of mistakes that a session reports.
	maxHints = 16
)

// hints are the problems found in the agent's lines. A user who sees the agent work
// does not need to see them. They belong to the session's goroutine.
type hints struct {
	turn    *turn
	tell    func(*agent.Notice)
	known   map[string]bool // kinds that were reported or are waiting
	waiting []agent.Hint    // not reported to the user yet
	at      time.Time       // when to report them; zero if not scheduled
	shown   int             // turn.shown when at was set
	losses  losses          // in this turn
}

// losses are the events of a turn that were dropped, entirely or in part.
type losses struct {
	count    int
	first    *agent.Hint
	reported bool // each was reported in a separate notice
}

func (l *losses) add(e *agent.Hint) {
	if l.count++; l.first == nil {
		l.first = e
	}
}

// notice summarizes the losses in one line.
func (l *losses) notice() *agent.Notice {
	what := "1 event could not be read"
	if l.count > 1 {
		what = fmt.Sprintf("%d events could not be read", l.count)
	}
	where := ""
	if l.first.Line > 0 {
		where = fmt.Sprintf("line %d: ", l.first.Line)
	}
	return &agent.Notice{
		Severity: "warning",
		Message:  fmt.Sprintf("%s (%s%s); run “turnwire check -- COMMAND” for details", what, where, l.first.Message),
	}
}

// begin starts a turn.
func (h *hints) begin() { h.losses = losses{} }

func (h *hints) add(e *agent.Hint) {
	h.note(e)
	if !h.turn.running {
		return
	}
	h.wait()
	if e.Line == 0 && lint.IsMisuse(e.Rule) { // its sender has waited already
		h.at = time.Now()
	}
	if e.Lost {
		h.losses.add(e)
	}
}

// note stores a hint if it is the first of its kind.
func (h *hints) note(e *agent.Hint) {
	if e.Again || h.known[e.Kind] || len(h.known) >= maxHints {
		return
	}
	if h.known == nil {
		h.known = make(map[string]bool)
	}
	h.known[e.Kind] = true
	h.waiting = append(h.waiting, *e)
}

// wait schedules the report, unless one is scheduled already. check drops it if the
// turn shows something in the meantime.
func (h *hints) wait() {
	if len(h.waiting) > 0 && h.at.IsZero() {
		h.at, h.shown = time.Now().Add(hintWait), h.turn.shown
	}
}

// check reports the hints to the user if the time has come.
func (h *hints) check() {
	if h.at.IsZero() || time.Now().Before(h.at) {
		return
	}
	h.at = time.Time{}
	if h.shown == h.turn.shown && h.turn.running {
		h.tellAll()
	}
}

// end reports the hints at the end of a turn: all of them if the turn showed nothing,
// otherwise one line about what was lost. After a cancel it reports nothing.
func (h *hints) end(cancelled bool) {
	h.at = time.Time{}
	if !h.turn.running || cancelled {
		return
	}
	if !h.turn.visible {
		h.tellAll()
	}
	if l := &h.losses; l.count > 0 && !l.reported {
		h.tell(l.notice())
	}
}

func (h *hints) tellAll() {
	waiting := h.waiting
	h.waiting = nil
	for _, e := range waiting {
		h.losses.reported = h.losses.reported || e.Lost
		if lint.IsMisuse(e.Rule) {
			h.tell(misuse(&e))
			continue
		}
		where := "The agent's output could not be read: "
		if e.Line > 0 {
			where = fmt.Sprintf("Line %d of the agent's output could not be read: ", e.Line)
		}
		h.tell(&agent.Notice{Severity: "warning", Message: where + e.Message, Description: e.Help})
	}
}

// misuse returns the notice about a command that is probably run in the wrong way.
func misuse(e *agent.Hint) *agent.Notice {
	n := &agent.Notice{Severity: "warning", Message: strings.ToUpper(e.Message[:1]) + e.Message[1:] + ". " + e.Help}
	if e.Rule == lint.Silent {
		n.Severity = "info"
	}
	return n
}
