package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// errRefused marks a call that the user did not allow.
var errRefused = errors.New("refused")

// A call is a tool call.
type call struct {
	turn    *turn
	id      string
	name    string
	args    agent.Raw
	view    agent.View
	began   time.Time
	printed agent.Raw // the output of an editor's terminal; nil without one
	shown   bool      // an event of the call was received, so its end must follow
}

// newCall returns a call that has not been announced. args is a struct of
// strings and numbers.
func (t *turn) newCall(name string, args any, view agent.View) *call {
	return &call{turn: t, id: t.session.newID("call"), name: name, args: rawArgs(args), view: view, began: time.Now()}
}

// rawArgs does not use json.Marshal, because users read the arguments and
// json.Marshal escapes < and >.
func rawArgs(args any) agent.Raw {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(args); err != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// ready announces a call that waits for a confirmation.
func (c *call) ready() {
	c.shown = c.turn.emit(&agent.ToolReady{ToolCallID: c.id, ToolName: c.name, Args: c.args, View: c.view})
}

// start reports that the tool runs.
func (c *call) start() {
	c.began = time.Now()
	received := c.turn.emit(&agent.ToolStart{ToolCallID: c.id, ToolName: c.name, Args: c.args, View: c.view})
	c.shown = c.shown || received
}

// output emits a piece of the tool's output.
func (c *call) output(text string) {
	c.turn.emit(&agent.ToolOutput{ToolCallID: c.id, Text: agent.NewText(text)})
}

// succeed ends the call with a result.
func (c *call) succeed(result string) outcome {
	return c.end(&agent.ToolEnd{OK: true, Result: agent.NewText(result), View: c.view})
}

// answer ends the call with a result that the user asked to see, and shows it as a code
// block in a language.
func (c *call) answer(result, language string) outcome {
	how := c.succeed(result)
	fence := "```"
	for strings.Contains(result, fence) {
		fence += "`"
	}
	c.turn.sayWhole(fence + language + "\n" + strings.TrimSuffix(result, "\n") + "\n" + fence + "\n")
	return how
}

// fail ends the call with err: as failed, refused or cancelled. It does not
// repeat the view, because the change in its diff was not made.
func (c *call) fail(err error) outcome {
	e := &agent.ToolEnd{Error: err.Error()}
	if c.turn.ctx.Err() != nil {
		e.Cancelled, e.Error = true, "cancelled"
		return c.end(e)
	}
	if errors.Is(err, errRefused) {
		e.Cancelled = true
		c.end(e)
		return refused
	}
	return c.end(e)
}

func (c *call) end(e *agent.ToolEnd) outcome {
	e.ToolCallID, e.ToolName, e.Structured = c.id, c.name, c.printed
	e.DurationMS = float64(time.Since(c.began).Microseconds()) / 1000
	how := failed
	if e.OK {
		how = succeeded
	}
	if c.shown {
		c.turn.conclude(e) // from here on e belongs to its receiver
	}
	return how
}
