package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A conversation is the state of one agent: Glue itself, or one of its
// sub-agents.
type conversation struct {
	stream *stream
	task   *child // the sub-agent it belongs to; nil for Glue itself
	path   string // prefix of its sub-agents' paths
	depth  int

	calls    calls
	streamed streamed
	thinks   bool // thoughts were streamed since the last summary

	turn      string // Glue's id of the running turn
	running   bool
	ended     bool // a terminal event was emitted in this turn
	exhausted bool // the agent stopped at its iteration limit
	failure   string

	cost  cost
	asked map[string]string // the calls that permission requests are about
}

// maxText limits the length of a remembered text.
const maxText = 1 << 10

// short truncates s for storage, because an agent's texts may have any length.
func short(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// emit emits an event. An event of a sub-agent is shown under its call.
func (c *conversation) emit(l *dialect.Line, e agent.Event) {
	if c.task != nil {
		c.task.show(l, e)
	} else if !l.Emit(e) {
		return
	}
	switch e := e.(type) {
	case *agent.RunStart:
		c.running, c.ended = true, false
	case *agent.TextDelta, *agent.ThinkingDelta, *agent.ToolPending, *agent.ToolStart, *agent.ToolEnd, *agent.SubagentStart:
		c.running = true
	case *agent.Done:
		c.endTurn()
	case *agent.Error:
		if e.Fatal == nil {
			c.endTurn()
		}
	}
}

// endTurn records the end of a turn.
func (c *conversation) endTurn() {
	c.running, c.ended, c.exhausted = false, true, false
	c.streamed.reset()
}

// text emits a piece of the answer.
func (c *conversation) text(l *dialect.Line, piece rawjson.String) {
	if c.task != nil {
		c.streamed.add(piece)
		c.emit(l, &agent.TextDelta{Text: rawjson.Wrap(piece)})
	} else if l.EmitText(agent.TextDelta{Text: rawjson.Wrap(piece)}) {
		c.running = true
	}
}

// thinking emits a piece of the agent's thoughts.
func (c *conversation) thinking(l *dialect.Line, piece rawjson.String) {
	if c.task != nil {
		c.emit(l, &agent.ThinkingDelta{Thinking: rawjson.Wrap(piece)})
	} else if l.EmitThinking(agent.ThinkingDelta{Thinking: rawjson.Wrap(piece)}) {
		c.running = true
	}
}

// start emits the start of a call.
func (c *conversation) start(l *dialect.Line, e agent.ToolStart) {
	if c.task != nil {
		shown := e
		c.emit(l, &shown)
	} else if l.EmitStart(e) {
		c.running = true
	}
}

// end emits the end of a call.
func (c *conversation) end(l *dialect.Line, e agent.ToolEnd) {
	if c.task != nil {
		shown := e
		c.emit(l, &shown)
	} else if l.EmitEnd(e) {
		c.running = true
	}
}

// enter starts the turn with this name, unless it is already running. Both the
// prompt and the start of a turn name it.
func (c *conversation) enter(l *dialect.Line, turn, provider, model string) {
	if c.running && turn != "" && turn == c.turn {
		if model != "" {
			c.emit(l, &agent.RunStart{Provider: provider, Model: model, TraceID: turn})
		}
		return
	}
	c.begin(l, turn, provider, model)
}

// begin starts a turn, and ends the previous one if it was not ended.
func (c *conversation) begin(l *dialect.Line, turn, provider, model string) {
	if c.running {
		c.done(l)
	}
	c.streamed.reset()
	c.calls.open = nil
	c.turn, c.exhausted, c.failure, c.thinks = turn, false, "", false
	c.cost.turn = 0
	c.emit(l, &agent.RunStart{Provider: provider, Model: model, TraceID: turn})
}

func (c *conversation) done(l *dialect.Line) {
	e := &agent.Done{}
	if c.exhausted {
		e.StopReason = agent.StopMaxTurnRequests
	}
	c.emit(l, e)
}
