package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
)

// ErrRefused marks a call that the user did not allow.
var ErrRefused = errors.New("refused")

// A call is a tool call.
type call struct {
	box     *Box
	turn    Turn
	id      string
	name    string
	args    agent.Raw
	view    agent.View
	began   time.Time
	printed agent.Raw       // the output of an editor's terminal; nil without one
	output  strings.Builder // of a command, for the result
	shown   bool            // an event of the call was received, so its end must follow
	// accepted is what the user accepts instead of the changes in view; nil means those.
	accepted []agent.AcceptedText
}

// Run runs a call that an agent made, and returns after it has ended. The id is the
// agent's own id of the call; args is a JSON object.
func (b *Box) Run(t Turn, id, name string, args []byte) Result {
	return b.run(&call{box: b, turn: t, id: id, name: name, args: args})
}

// Use runs a call that Turnwire itself makes. args is a struct of JSON values.
func (b *Box) Use(t Turn, name string, args any) Result {
	return b.run(&call{box: b, turn: t, id: b.newID("call"), name: name, args: rawArgs(args)})
}

func (b *Box) run(c *call) (r Result) {
	defer func() {
		if p := recover(); p != nil { // a bug here must not end other sessions
			b.log.Error("a tool panicked", "tool", c.name, "panic", p, "stack", string(debug.Stack()))
			r = c.fail(fmt.Errorf("this is a bug in Turnwire, see its log: %v", p))
		}
	}()
	c.began = time.Now()
	tools := table()
	i := slices.IndexFunc(tools, func(t tool) bool { return t.Name == c.name })
	if i < 0 {
		c.start()
		return c.fail(fmt.Errorf("unknown tool %q", c.name))
	}
	made, err := tools[i].parse(c.args)
	if err != nil {
		c.start()
		return c.fail(fmt.Errorf("the arguments are invalid: %w", err))
	}
	c.view = made.view()
	return made.run(c)
}

// Custom runs a call of Turnwire's own that is not one of the tools. work returns the
// call's result.
func (b *Box) Custom(t Turn, name string, args any, view agent.View, work func(context.Context) (string, error)) Result {
	c := &call{box: b, turn: t, id: b.newID("call"), name: name, args: rawArgs(args), view: view}
	c.start()
	text, err := work(t.Context())
	if err != nil {
		return c.fail(err)
	}
	return c.succeed(text)
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

// emit sends events, unless the turn is cancelled. It reports whether they were received.
func (c *call) emit(events ...agent.Event) bool { return c.turn.Send(c.turn.Context(), events...) }

// conclude sends an event even in a cancelled turn: what was started must be ended.
func (c *call) conclude(e agent.Event) { c.turn.Send(c.turn.Life(), e) }

// ready announces a call that waits for a confirmation.
func (c *call) ready() {
	c.shown = c.emit(&agent.ToolReady{ToolCallID: c.id, ToolName: c.name, Args: c.args, View: c.view})
}

// start reports that the tool runs.
func (c *call) start() {
	c.began = time.Now()
	received := c.emit(&agent.ToolStart{ToolCallID: c.id, ToolName: c.name, Args: c.args, View: c.view})
	c.shown = c.shown || received
}

// print emits a piece of a command's output.
func (c *call) print(text string) {
	c.output.WriteString(text)
	c.emit(&agent.ToolOutput{ToolCallID: c.id, Text: agent.NewText(text)})
}

// succeed ends the call with a result.
func (c *call) succeed(result string) Result {
	c.end(&agent.ToolEnd{OK: true, Result: agent.NewText(result), View: c.view})
	return Result{Text: result, OK: true}
}

// fail ends the call with err: as failed, refused or cancelled. It does not
// repeat the view, because the change in its diff was not made.
func (c *call) fail(err error) Result {
	e, r := &agent.ToolEnd{Error: err.Error()}, Result{Text: "Error: " + err.Error()}
	switch {
	case c.turn.Context().Err() != nil:
		e.Cancelled, e.Error = true, "cancelled"
		r = Result{Text: "The user cancelled the turn.", Cancelled: true}
	case errors.Is(err, ErrRefused):
		e.Cancelled = true
		r = Result{Text: "The user did not allow this call. Don't try it again in another way.", Refused: true}
	}
	c.end(e)
	return r
}

func (c *call) end(e *agent.ToolEnd) {
	e.ToolCallID, e.ToolName, e.Structured = c.id, c.name, c.printed
	e.DurationMS = float64(time.Since(c.began).Microseconds()) / 1000
	if c.shown {
		c.conclude(e) // from here on e belongs to its receiver
	}
}
