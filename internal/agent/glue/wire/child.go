package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth limits the nesting of sub-agents. Glue's own limit is lower. Each
// level has to process all events nested in it.
const maxDepth = 8

// A child is a sub-agent whose task has started, and may have ended.
type child struct {
	parent *conversation
	start  *agent.SubagentStart // the event that announces it; nil once emitted
	id     string
	task   string
	talk   conversation
	ended  bool
	whole  bool // its texts are whole messages

	apart   bool // the next text is another message
	spoke   bool // some text was shown
	failed  bool
	failure string // its error message

	// Results of decoding the current event.
	emitted, hidden bool
}

// child returns a sub-agent. If its start was not seen, it starts with the first
// event about it.
func (c *conversation) child(id string) *child {
	if s, ok := c.stream.children[c.path+short(id)]; ok {
		return s
	}
	return c.spawn(&agent.SubagentStart{ID: id, Name: "Sub-agent"})
}

// spawn records a sub-agent. If there are too many, all are forgotten, and later
// events start them again.
func (c *conversation) spawn(e *agent.SubagentStart) *child {
	if c.stream.children == nil || len(c.stream.children) >= maxOpen {
		c.stream.children = make(map[string]*child)
	}
	path := c.path + short(e.ID)
	s := &child{parent: c, start: e, id: e.ID, task: short(e.Task)}
	s.talk = conversation{stream: c.stream, task: s, path: path + "/", depth: c.depth + 1}
	c.stream.children[path] = s
	return s
}

// announce emits the start of the sub-agent, once.
func (s *child) announce(l *dialect.Line) {
	if start := s.start; start != nil {
		s.start = nil
		s.parent.emit(l, start)
	}
}

// decode decodes an event of the sub-agent. It reports whether all of the event
// was shown.
func (s *child) decode(l *dialect.Line, inner *dialect.Fields, whole bool) bool {
	s.whole, s.emitted, s.hidden = whole, false, false
	s.talk.stream.current = &s.talk
	l.Within(inner)
	s.parent.stream.current = s.parent
	return s.emitted && !s.hidden
}

// show emits an event of the sub-agent as an event of its parent.
func (s *child) show(l *dialect.Line, e agent.Event) {
	s.announce(l)
	s.emitted = true
	switch e := e.(type) {
	case *agent.TextDelta:
		s.say(l, rawjson.Body(e.Text))
		return
	case *agent.MessageEnd:
		s.apart = true // the next text starts a new paragraph
		return
	case *agent.ToolPending:
		s.under(&e.ToolCallID)
		s.below(&e.ParentToolCallID)
	case *agent.ToolStart:
		s.under(&e.ToolCallID)
		s.below(&e.ParentToolCallID)
		s.apart = true
	case *agent.ToolProgress:
		s.under(&e.ToolCallID)
	case *agent.ToolOutput:
		s.under(&e.ToolCallID)
	case *agent.ToolEnd:
		s.under(&e.ToolCallID)
	case *agent.ConfirmationRequested:
		s.under(&e.ToolCallID)
		s.request(&e.ConfirmationID)
	case *agent.ConfirmationResolved:
		s.under(&e.ToolCallID)
		s.request(&e.ConfirmationID)
	case *agent.SubagentStart:
		s.under(&e.ID)
		s.below(&e.ParentToolCallID)
	case *agent.SubagentEnd:
		s.under(&e.ID)
	case *agent.Notice:
		if s.task != "" {
			e.Description = strings.TrimPrefix(e.Description+"\nSub-agent: "+s.task, "\n")
		}
	case *agent.Error:
		s.fail(l, e)
		return
	case *agent.Done:
		s.failed = s.failed || e.StopReason == agent.StopCancelled
		return
	case *agent.Usage:
		// Its tokens fill a separate context; its cost is part of the session's.
		s.hidden = true
		if e.EstimatedCostUSD > 0 {
			s.parent.cost.add(e.EstimatedCostUSD)
			s.parent.emit(l, &agent.Usage{EstimatedCostUSD: e.EstimatedCostUSD})
		}
		return
	default:
		s.hidden = true // thoughts, titles, and the bounds of its turns
		return
	}
	s.parent.emit(l, e)
}

// under moves a call's id into this sub-agent's namespace.
func (s *child) under(id *string) { *id = s.id + "/" + *id }

func (s *child) request(id *string) {
	if *id != "" {
		s.under(id)
	}
}

// below moves a parent's id into this sub-agent's namespace. Without a parent,
// the sub-agent itself becomes the parent.
func (s *child) below(id *string) {
	if *id == "" {
		*id = s.id
	} else {
		s.under(id)
	}
}

// say shows text as output of the sub-agent's call, with a blank line between
// messages.
func (s *child) say(l *dialect.Line, text rawjson.String) {
	if len(text) == 0 {
		return
	}
	if s.apart && s.spoke {
		text = append(rawjson.String(`\n\n`), text...)
	}
	s.apart, s.spoke = false, true
	s.parent.emit(l, &agent.ToolOutput{ToolCallID: s.id, Text: rawjson.Wrap(text)})
}

// fail shows an error of the sub-agent at once, because the end of its task may
// never come. If it comes, it repeats the error.
func (s *child) fail(l *dialect.Line, e *agent.Error) {
	if e.Fatal == nil {
		s.failed, s.failure = true, short(e.Error)
	}
	s.parent.emit(l, &agent.ToolProgress{ToolCallID: s.id, Message: e.Error, Audience: agent.ForUser})
}
