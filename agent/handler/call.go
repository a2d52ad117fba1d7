package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/turnwire/turnwire/agent"
)

// A Call is a running tool call.
type Call struct {
	ID string

	turn *Turn
	name string
	args agent.Raw

	mu     sync.Mutex
	result agent.ToolEnd
}

// A Tool describes a tool call.
type Tool struct {
	Name string
	Args any // encoded as a JSON object
	// View says how to show the call. Missing parts are derived from the name and
	// the arguments, which is enough for most tools.
	View agent.View
}

// Call shows a tool call while do runs. If do returns an error, the call fails
// and Call returns that error.
func (t *Turn) Call(tool Tool, do func(*Call) error) error {
	args, err := json.Marshal(tool.Args)
	if err != nil {
		return fmt.Errorf("the arguments of %s: %w", tool.Name, err)
	}
	c := &Call{ID: t.session.pending.id("call"), turn: t, name: tool.Name, args: args}
	if err := t.Emit(&agent.ToolStart{ToolCallID: c.ID, ToolName: c.name, Args: args, View: tool.View}); err != nil {
		return err
	}
	done := false
	defer func() {
		if !done { // do panicked
			c.end(errors.New("the agent panicked"))
		}
	}()
	err = do(c)
	done = true
	c.end(err)
	return err
}

// Output appends s to the call's output.
func (c *Call) Output(s string) {
	c.turn.send(&agent.ToolOutput{ToolCallID: c.ID, Text: agent.NewText(s)})
}

// Result sets the call's result, which replaces its output.
func (c *Call) Result(s string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Result = agent.NewText(s)
}

// Changed adds a file change that the call made.
func (c *Call) Changed(d agent.Diff) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.result.Diffs = append(c.result.Diffs, d)
}

// Confirm asks the user whether the call may continue, giving reason. It returns
// nil if the user allows it, [ErrRefused] if not, or the context's error.
func (c *Call) Confirm(reason string) error {
	id := c.turn.session.pending.id("confirmation")
	r, err := await[agent.ConfirmationResponse](c.turn, id, &agent.ConfirmationRequested{
		ConfirmationID: id, ToolCallID: c.ID, ToolName: c.name, Args: c.args, Reason: reason,
	})
	if err == nil && !r.Decision.Allows() {
		err = ErrRefused
	}
	return err
}

// end ends the call. A cancelled or refused call carries no error message.
func (c *Call) end(err error) {
	c.mu.Lock()
	e := c.result
	c.mu.Unlock()
	e.ToolCallID, e.ToolName, e.OK = c.ID, c.name, err == nil
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, ErrRefused):
		e.Cancelled = true
	case err != nil:
		e.Error = err.Error()
	}
	c.turn.send(&e)
}
