package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth is how deep sub-agents may spawn others. Glue itself stops earlier;
// each level costs another look at all that is in it.
const maxDepth = 8

// A family is all sub-agents of a stream. When they become too many all are
// forgotten: what comes of them later starts anew.
type family struct{ members map[string]*child }

// A child is a sub-agent whose task has begun, and perhaps ended.
type child struct {
	task   string
	ended  bool
	talk   conversation
	apart  bool // the next text is another message
	spoke  bool // some text was shown
	failed bool
	err    string // what it said of its failure
}

// child returns the state of a sub-agent. One whose start was not seen starts
// with what is said of it first.
func (c *conversation) child(id string) *child {
	if s, ok := c.family.members[c.path+short(id)]; ok {
		return s
	}
	return c.spawn(&agent.SubagentStart{ID: id, Name: "Sub-agent"}, "")
}

func (c *conversation) spawn(e *agent.SubagentStart, model string) *child {
	withModel(e, model)
	if c.family.members == nil || len(c.family.members) >= maxOpen {
		c.family.members = make(map[string]*child)
	}
	path := c.path + short(e.ID)
	s := &child{task: short(e.Task), talk: conversation{family: c.family, path: path + "/", depth: c.depth + 1}}
	c.family.members[path] = s
	c.emit(e)
	return s
}

// completed ends a sub-agent with what is known of its failure.
func completed(c *conversation, e *agent.SubagentEnd, status string) {
	s := c.child(e.ID)
	s.ended, s.talk = true, conversation{}
	if e.Error == "" && s.failed {
		e.Error = s.err
	}
	if e.Error == "" && !e.OK {
		e.Error = "the sub-agent did not complete its task"
		if status != "" {
			e.Error += ": " + status
		}
	}
	c.emit(e)
}

// forward decodes an event of a sub-agent with h, nil for one that nobody
// knows, and shows it under the call of that sub-agent.
func forward(c *conversation, f *fields, id string, h handler, inner *fields) {
	if h == nil || c.depth == maxDepth {
		telemetry(c, f)
		return
	}
	s := c.child(id)
	if s.ended {
		telemetry(c, f)
		return
	}
	h(&s.talk, inner)
	events := s.talk.out
	s.talk.out = nil
	hidden := len(events) == 0
	for _, e := range events {
		s.talk.note(e)
		if !s.show(c, id, e) {
			hidden = true
		}
	}
	if hidden {
		telemetry(c, f)
	}
}

// show yields an event of the sub-agent id as its parent's; it returns false
// for what is not shown.
func (s *child) show(c *conversation, id string, e agent.Event) bool {
	under := func(call *string) { *call = id + "/" + *call }
	parent := func(call *string) {
		if *call == "" {
			*call = id
		} else {
			under(call)
		}
	}
	switch e := e.(type) {
	case *agent.TextDelta:
		s.say(c, id, e.Text)
		return true
	case *agent.MessageEnd:
		s.apart = true
		return true // it shows in the next text
	case *agent.ToolPending:
		under(&e.ToolCallID)
		parent(&e.ParentToolCallID)
	case *agent.ToolStart:
		under(&e.ToolCallID)
		parent(&e.ParentToolCallID)
		s.apart = true
	case *agent.ToolProgress:
		under(&e.ToolCallID)
	case *agent.ToolOutput:
		under(&e.ToolCallID)
	case *agent.ToolEnd:
		under(&e.ToolCallID)
	case *agent.ConfirmationRequested:
		under(&e.ToolCallID)
		if e.ConfirmationID != "" {
			under(&e.ConfirmationID)
		}
	case *agent.ConfirmationResolved:
		under(&e.ToolCallID)
		if e.ConfirmationID != "" {
			under(&e.ConfirmationID)
		}
	case *agent.SubagentStart:
		under(&e.ID)
		parent(&e.ParentToolCallID)
	case *agent.SubagentEnd:
		under(&e.ID)
	case *agent.Notice:
		if s.task != "" {
			e.Description = strings.TrimPrefix(e.Description+"\nSub-agent: "+s.task, "\n")
		}
	case *agent.Error:
		s.fail(c, id, e)
		return true
	case *agent.Done:
		s.failed = s.failed || e.StopReason == agent.StopCancelled
		return true
	case *agent.Usage:
		// Its tokens are in a context of its own; its cost is the session's.
		if e.EstimatedCostUSD <= 0 {
			return false
		}
		c.cost.add(e.EstimatedCostUSD)
		c.emit(&agent.Usage{EstimatedCostUSD: e.EstimatedCostUSD})
		return false
	default:
		return false // thoughts, titles, the borders of its turns
	}
	c.emit(e)
	return true
}

// say shows text as output of the sub-agent's call, its messages apart.
func (s *child) say(c *conversation, id string, text rawjson.String) {
	if len(text) == 0 {
		return
	}
	if s.apart && s.spoke {
		text = append(rawjson.String(`\n\n`), text...)
	}
	s.apart, s.spoke = false, true
	c.emit(&agent.ToolOutput{ToolCallID: id, Text: text})
}

// fail shows an error of the sub-agent at once, for the end of its task may
// never come; where it comes it repeats the error.
func (s *child) fail(c *conversation, id string, e *agent.Error) {
	if e.Fatal == nil {
		s.failed, s.err = true, short(e.Error)
	}
	c.emit(&agent.ToolProgress{ToolCallID: id, Message: e.Error, Audience: agent.ForUser})
}
