package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A conversation is what is remembered of one agent: of Glue itself, or of one
// of its sub-agents.
type conversation struct {
	stream *stream
	task   *child // whose conversation it is; nil for Glue's own
	path   string // begins the paths of its sub-agents
	depth  int

	calls    calls
	streamed streamed
	thinks   bool // thoughts were streamed since the last summary

	turn      string // what Glue calls the running turn
	running   bool
	ended     bool // a terminal event was emitted in this turn
	exhausted bool // the agent stopped at its limit of iterations
	failure   string

	cost  cost
	asked map[string]string // the calls that requests for permission are about
}

// maxText bounds a text that is remembered.
const maxText = 1 << 10

// short returns s for memory: what an agent says may be of any length.
func short(s string) string {
	if len(s) <= maxText {
		return s
	}
	return strings.ToValidUTF8(s[:maxText], "") + "…"
}

// emit hands over an event. That of a sub-agent is shown under its call.
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
		c.over()
	case *agent.Error:
		if e.Fatal == nil {
			c.over()
		}
	}
}

// over notes the end of a turn.
func (c *conversation) over() {
	c.running, c.ended, c.exhausted = false, true, false
	c.streamed.reset()
}

// text hands over a piece of the answer.
func (c *conversation) text(l *dialect.Line, piece rawjson.String) {
	if c.task != nil {
		c.streamed.add(piece)
		c.emit(l, &agent.TextDelta{Text: rawjson.Wrap(piece)})
	} else if l.EmitText(agent.TextDelta{Text: rawjson.Wrap(piece)}) {
		c.running = true
	}
}

// thinking hands over a piece of the agent's thoughts.
func (c *conversation) thinking(l *dialect.Line, piece rawjson.String) {
	if c.task != nil {
		c.emit(l, &agent.ThinkingDelta{Thinking: rawjson.Wrap(piece)})
	} else if l.EmitThinking(agent.ThinkingDelta{Thinking: rawjson.Wrap(piece)}) {
		c.running = true
	}
}

// start hands over a call that runs.
func (c *conversation) start(l *dialect.Line, e agent.ToolStart) {
	if c.task != nil {
		shown := e
		c.emit(l, &shown)
	} else if l.EmitStart(e) {
		c.running = true
	}
}

// end hands over the end of a call.
func (c *conversation) end(l *dialect.Line, e agent.ToolEnd) {
	if c.task != nil {
		shown := e
		c.emit(l, &shown)
	} else if l.EmitEnd(e) {
		c.running = true
	}
}

// enter begins a turn of that name, unless it runs already: the prompt and the
// start of a turn both name it.
func (c *conversation) enter(l *dialect.Line, turn, provider, model string) {
	if c.running && turn != "" && turn == c.turn {
		if model != "" {
			c.emit(l, &agent.RunStart{Provider: provider, Model: model, TraceID: turn})
		}
		return
	}
	c.begin(l, turn, provider, model)
}

// begin begins a turn. It ends the one before where nothing has.
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
