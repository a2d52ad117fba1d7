package chat

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
)

// A Turn is a turn of a conversation that reads its stream.
type Turn struct {
	Sent     bool // Ethos has the message
	Ended    bool // Ethos has ended the turn
	Advanced bool // the stream has delivered an event since this was reset

	c       *Conversation
	trace   string // the turn's trace, if Ethos sent one
	visible bool   // the user has seen anything of the turn
}

// Turn returns the next turn.
func (c *Conversation) Turn() *Turn { return &Turn{c: c} }

// After returns the id of the event after which the stream continues, or "".
func (t *Turn) After() string { return t.c.lastID }

// A Step is what an event means for the turn.
type Step struct {
	Before    []agent.Event     // for the user, before the event
	Line      []byte            // the event for the decoder; nil if it is not shown
	Refuse    *requests.Request // of a turn that is over
	RefuseAll bool              // the turn was cancelled, and Ethos still asks
}

// Add processes an event with its id in the stream, which may be empty. cancelled reports
// whether the user has cancelled the turn.
func (t *Turn) Add(id string, line []byte, cancelled func() bool) (s Step) {
	if id != "" {
		t.c.lastID = id
	}
	h, line := parse(line)
	t.Advanced = t.Advanced || h.Type != "stream_meta" // which begins each stream
	q, asks := h.request()
	if t.c.leftover.has(&h) {
		if asks && q.ID != "" {
			s.Refuse = &q
		}
		return s
	}
	if e := t.unreadAdvice(&h, cancelled); e != nil {
		s.Before = append(s.Before, e)
	}
	switch h.Type {
	case "run_start":
		t.trace, t.c.leftover = h.TraceID, leftover{}
	case "tool.approval_required", "clarify.request":
		if !t.isNew(&h, q) {
			return s
		}
		if cancelled() { // asked after the request was recorded: otherwise, the cancel refuses it
			s.RefuseAll = true
			return s
		}
	case "approval.resolved", "clarify.resolved":
		t.c.Requests.Settle(q)
	case "error":
		t.Ended, t.c.leftover = true, afterError(h.Code)
	case "done":
		if isHandBack(&h) && !cancelled() {
			s.Before = append(s.Before, &agent.MessageEnd{})
			return s
		}
		t.Ended, t.c.leftover = true, leftover{}
		if !t.visible && h.Text == "" && h.TurnCount == 0 && !cancelled() {
			s.Before = append(s.Before, unanswered())
		}
	}
	switch h.Type {
	case "stream_meta", "run_start", "usage", "context_meta":
	default:
		t.visible = true
	}
	s.Line = line
	return s
}

// isNew records a request from Ethos, and reports whether to show it. A request without an id
// can't be answered; the decoder reports it. A known request was shown before. A request
// from another conversation belongs to another client.
func (t *Turn) isNew(h *head, q requests.Request) bool {
	if of := h.Approval.SessionID; of != "" && of != t.c.ID() {
		return false
	}
	return q.ID == "" || t.c.Requests.Add(q)
}

// isHandBack reports whether a done comes from a background run that hands over
// its result: it has no trace and no rounds. Its text is a separate message, and
// the turn continues.
func isHandBack(h *head) bool { return h.TurnCount == 0 && h.Text != "" && h.TraceID == "" }

// unanswered tells the user why a turn may have ended without output: the web API
// does not report a missing credential.
func unanswered() agent.Event {
	return &agent.Notice{
		Severity: "warning",
		Message:  "Ethos ended the turn without an answer. It may need a credential: see its web UI.",
	}
}

// Leave records that a turn is cut off. Its end may come during the next turn.
func (t *Turn) Leave() { t.c.leftover = leftover{turn: true, trace: t.trace} }

// Advise records whether Ethos was given advice.
func (c *Conversation) Advise(given bool) { c.unread.Store(given) }

// unreadAdvice returns a notice for the user at the end of a turn if no tool has ended since
// the last advice. Ethos has not read it then, and does not say so.
func (t *Turn) unreadAdvice(h *head, cancelled func() bool) agent.Event {
	switch h.Type {
	case "tool_end":
		t.c.unread.Store(false)
	case "done", "error":
		if t.c.unread.Swap(false) && !cancelled() {
			return &agent.Notice{Severity: "warning", Message: "The turn ended before Ethos read your advice. Send it again as a prompt."}
		}
	}
	return nil
}
