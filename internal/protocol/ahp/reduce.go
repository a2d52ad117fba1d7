package ahp

import (
	"maps"
	"slices"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Apply applies an action to the state. An action of another channel, or one that does
// not fit the state, changes nothing. at is the current time in the protocol's format.
func (c *Chat) Apply(a Action, at string) {
	switch a := a.(type) {
	case *TurnStarted:
		c.ActiveTurn = &Turn{ID: a.TurnID, StartedAt: a.StartedAt, Message: a.Message, ResponseParts: []Part{}}
		c.ModifiedAt = at
		c.refresh()
		c.Status = c.Status.With(IsRead, false)
		if a.QueuedMessageID != "" {
			c.removePending(PendingSteering, a.QueuedMessageID)
			c.removePending(PendingQueued, a.QueuedMessageID)
		}
	case *ResponsePart:
		if t := c.active(a.TurnID); t != nil {
			p := a.Part
			if p.Content != nil { // the part grows, but the action must not
				p.Content = p.Content.clone()
			}
			t.ResponseParts = append(t.ResponseParts, p)
		}
	case *Delta:
		c.grow(a.TurnID, PartMarkdown, a.PartID, a.Content)
	case *Reasoning:
		c.grow(a.TurnID, PartReasoning, a.PartID, a.Content)
	case *UsageChanged:
		if t := c.active(a.TurnID); t != nil {
			usage := a.Usage
			t.Usage = &usage
		}
	case *TurnCompleted:
		c.end(a.TurnID, TurnComplete, a.Duration, nil, at)
	case *TurnWasCancelled:
		c.end(a.TurnID, TurnCancelled, a.Duration, nil, at)
	case *TurnFailed:
		c.end(a.TurnID, TurnError, a.Duration, &a.Part, at)
	case *Truncated:
		c.truncate(a.TurnID, at)
	case *PendingMessageSet:
		c.setPending(a.Kind, PendingMessage{a.ID, a.Message})
	case *PendingMessageRemoved:
		c.removePending(a.Kind, a.ID)
	case *QueuedMessagesReordered:
		c.reorder(a.Order)
	case *DraftChanged:
		c.Draft = a.Draft
	case *InputRequested:
		c.requestInput(a.Request, at)
	case *InputAnswerChanged:
		c.draftAnswer(a, at)
	case *InputCompleted:
		c.answer(a, at)
	default:
		c.applyToCall(a)
	}
}

// active returns the running turn if it has that id, otherwise nil.
func (c *Chat) active(id string) *Turn {
	if c.ActiveTurn == nil || c.ActiveTurn.ID != id {
		return nil
	}
	return c.ActiveTurn
}

func (c *Chat) grow(turn, kind, part string, text rawjson.Text) {
	t := c.active(turn)
	if t == nil {
		return
	}
	for i := len(t.ResponseParts) - 1; i >= 0; i-- { // nearly always the last part
		if p := &t.ResponseParts[i]; p.ID == part && p.Kind == kind {
			p.Content.body = append(p.Content.body, rawjson.Body(text)...)
			return
		}
	}
}

// end ends a turn. If failure is not nil, it becomes the last part.
func (c *Chat) end(id, state string, duration int64, failure *Part, at string) {
	t := c.active(id)
	if t == nil {
		return
	}
	for i := range t.ResponseParts {
		if call := t.ResponseParts[i].ToolCall; call != nil && call.Status != CallCompleted && call.Status != CallCancelled {
			ended := call.base(CallCancelled)
			ended.InvocationMessage, ended.ToolInput, ended.Reason = call.InvocationMessage, call.ToolInput, ReasonSkipped
			*call = ended
		}
	}
	duration = max(0, duration)
	t.State, t.Duration = state, &duration
	if failure != nil {
		t.ResponseParts = append(t.ResponseParts, *failure)
	}
	c.Turns = append(c.Turns, *t)
	c.ActiveTurn = nil
	c.ModifiedAt = at
	c.refresh()
	if failure != nil {
		c.Status = c.Status.Doing(Failed)
	}
}

// truncate drops the turns after a turn, or all turns if last is nil. Without such a turn
// it does nothing.
func (c *Chat) truncate(last *string, at string) {
	n := 0
	if last == nil {
		c.TurnsNextCursor = ""
	} else if n = 1 + slices.IndexFunc(c.Turns, func(t Turn) bool { return t.ID == *last }); n == 0 {
		return
	}
	c.Turns, c.ActiveTurn, c.ModifiedAt = c.Turns[:n:n], nil, at
	c.refresh()
}

// refresh updates the status from the active turn.
func (c *Chat) refresh() {
	doing := Idle
	if c.ActiveTurn != nil {
		doing = InProgress
		for _, p := range c.ActiveTurn.ResponseParts {
			if p.ToolCall != nil && p.ToolCall.Status == CallPending || p.Kind == PartInput && p.Response == "" {
				doing = InputNeeded
			}
		}
	}
	c.Status = c.Status.Doing(doing)
}

func (c *Chat) setPending(kind string, m PendingMessage) {
	if kind == PendingSteering {
		c.SteeringMessage = &m
		return
	}
	if i := c.queued(m.ID); i >= 0 {
		c.QueuedMessages[i] = m
	} else {
		c.QueuedMessages = append(c.QueuedMessages, m)
	}
}

func (c *Chat) removePending(kind, id string) {
	if kind != PendingSteering {
		c.QueuedMessages = slices.DeleteFunc(c.QueuedMessages, func(m PendingMessage) bool { return m.ID == id })
		return
	}
	if c.SteeringMessage != nil && c.SteeringMessage.ID == id {
		c.SteeringMessage = nil
	}
}

func (c *Chat) queued(id string) int {
	return slices.IndexFunc(c.QueuedMessages, func(m PendingMessage) bool { return m.ID == id })
}

// reorder sorts the queued messages. Messages that order does not name go to the end.
func (c *Chat) reorder(order []string) {
	rest := slices.Clone(c.QueuedMessages)
	var all []PendingMessage
	for _, id := range order {
		if i := slices.IndexFunc(rest, func(m PendingMessage) bool { return m.ID == id }); i >= 0 {
			all = append(all, rest[i])
			rest = slices.Delete(rest, i, i+1)
		}
	}
	c.QueuedMessages = slices.Concat(all, rest)
}

// Asked returns the unanswered request with an id, or nil.
func (c *Chat) Asked(id string) *InputRequest {
	if p := c.asked(id); p != nil {
		return p.Request
	}
	return nil
}

func (c *Chat) asked(id string) *Part {
	if c.ActiveTurn == nil {
		return nil
	}
	for i := range c.ActiveTurn.ResponseParts {
		if p := &c.ActiveTurn.ResponseParts[i]; p.Kind == PartInput && p.Response == "" && p.Request.ID == id {
			return p
		}
	}
	return nil
}

func (c *Chat) requestInput(r InputRequest, at string) {
	if c.ActiveTurn == nil {
		return
	}
	if p := c.asked(r.ID); p != nil {
		if r.Answers == nil {
			r.Answers = p.Request.Answers
		}
		p.Request = &r
	} else {
		c.ActiveTurn.ResponseParts = append(c.ActiveTurn.ResponseParts, Part{Kind: PartInput, Request: &r})
	}
	c.refresh()
	c.Status, c.ModifiedAt = c.Status.With(IsRead, false), at
}

func (c *Chat) draftAnswer(a *InputAnswerChanged, at string) {
	p := c.asked(a.RequestID)
	if p == nil {
		return
	}
	r := *p.Request
	r.Answers = maps.Clone(r.Answers)
	if a.Answer == nil {
		delete(r.Answers, a.QuestionID)
	} else {
		if r.Answers == nil {
			r.Answers = map[string]Answer{}
		}
		r.Answers[a.QuestionID] = *a.Answer
	}
	p.Request, c.ModifiedAt = &r, at
}

func (c *Chat) answer(a *InputCompleted, at string) {
	p := c.asked(a.RequestID)
	if p == nil {
		return
	}
	r := *p.Request
	r.Answers = maps.Clone(r.Answers)
	if r.Answers == nil {
		r.Answers = map[string]Answer{}
	}
	maps.Copy(r.Answers, a.Answers)
	p.Request, p.Response, c.ModifiedAt = &r, a.Response, at
	c.refresh()
}
