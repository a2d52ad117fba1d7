package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// A conversation is what is kept of the stream of one agent: of Glue itself, or
// of one of its sub-agents.
type conversation struct {
	out    []agent.Event // of the line that is being decoded
	calls  calls
	said   said // the message that is being streamed
	thinks bool // thoughts were streamed since the last summary

	turn      string // what Glue calls the running turn
	running   bool
	ended     bool // a terminal event was yielded in this turn
	exhausted bool // the agent stopped at its limit of iterations
	failure   string

	cost  cost
	asked map[string]string // requests for permission, and the calls they are about

	family *family // all sub-agents of the stream
	path   string  // of this one among them
	depth  int
}

// short is s where it is remembered: what an agent says may be of any length.
func short(s string) string {
	const longest = 1 << 10
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

func (c *conversation) emit(e agent.Event) { c.out = append(c.out, e) }

// note takes account of an event that is yielded.
func (c *conversation) note(e agent.Event) {
	switch e := e.(type) {
	case *agent.RunStart:
		c.running, c.ended = true, false
	case *agent.TextDelta, *agent.ThinkingDelta, *agent.ToolPending, *agent.ToolStart, *agent.ToolEnd, *agent.SubagentStart:
		c.running = true
	case *agent.Done:
		c.running, c.ended, c.exhausted = false, true, false
	case *agent.Error:
		if e.Fatal == nil {
			c.running, c.ended, c.exhausted = false, true, false
		}
	}
}

// enter begins a turn of that name, unless it is the one that runs: the prompt
// and the start of a turn both name it.
func (c *conversation) enter(turn, provider, model string) {
	if c.running && turn != "" && turn == c.turn {
		if model != "" {
			c.emit(&agent.RunStart{Provider: provider, Model: model, TraceID: turn})
		}
		return
	}
	c.begin(turn, provider, model)
}

// begin begins a turn, and ends the one before where nothing has.
func (c *conversation) begin(turn, provider, model string) {
	if c.running {
		c.done()
	}
	c.said.reset()
	c.calls.open = nil
	c.turn, c.exhausted, c.failure, c.thinks = turn, false, "", false
	c.cost.turn = 0
	c.emit(&agent.RunStart{Provider: provider, Model: model, TraceID: turn})
}

func (c *conversation) done() {
	e := &agent.Done{}
	if c.exhausted {
		e.StopReason = agent.StopMaxTurnRequests
	}
	c.emit(e)
}

// limitReached begins the notice by which Glue says that it gives up after too
// many rounds (packages/glue_harness/lib/src/agent/agent_core.dart). Nothing
// else tells that end from a good one.
const limitReached = "Reached the maximum of "

// notice decodes AgentNotice. Its kinds are open: what is no severity is shown
// as information.
func notice(c *conversation, f *fields) {
	e := &agent.Notice{Severity: severity(f.text("kind")), Message: f.text("message")}
	if e.Severity == "warning" && strings.HasPrefix(e.Message, limitReached) {
		c.exhausted = true
	}
	c.emit(e)
}

func severity(kind string) string {
	switch kind {
	case "warning", "warn":
		return "warning"
	case "error":
		return "error"
	}
	return "info"
}

// title decodes the names of a session.
func title(c *conversation, f *fields) {
	if t := f.text("title"); t != "" {
		c.emit(&agent.SessionTitle{Title: t})
	}
}

// telemetry hands on what has no place in a person's view.
func telemetry(c *conversation, f *fields) {
	name, _ := f.typeName()
	c.emit(&agent.Telemetry{Name: name, Data: agent.Raw(f.raw)})
}

// cost adds up what requests are said to cost, because the totals of a turn and
// of a session repeat it.
type cost struct{ turn, session float64 }

func (k *cost) add(dollars float64) {
	k.turn += dollars
	k.session += dollars
}
