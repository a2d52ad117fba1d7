package tools

import (
	"context"
	"errors"

	"github.com/turnwire/turnwire/agent"
)

var errNoStatus = errors.New("the editor did not report how the command ended")

// runInEditor runs an allowed command in a terminal of the editor, which shows
// the terminal in the call.
func (c *call) runInEditor(k runTask) Result {
	ctx, cancel := context.WithTimeoutCause(c.turn.Context(), k.limit(), k.overtime())
	defer cancel()
	args := shell(k.Command)
	made, err := c.useEditor(ctx, agent.EditorRequested{
		Action: agent.CreateTerminal, Command: args[0], Args: args[1:], Cwd: c.box.files.dirs[0], OutputLimit: maxRunOutput,
	})
	if err != nil {
		return c.fail(err)
	}
	c.view.TerminalID = made.TerminalID
	c.start()
	// The editor shows the terminal as long as it shows the call, but perhaps
	// only if the call names the terminal before it is released.
	defer c.freeTerminal(agent.ReleaseTerminal, made.TerminalID)
	end, err := c.useEditor(ctx, agent.EditorRequested{Action: agent.WaitForTerminal, TerminalID: made.TerminalID})
	if ctx.Err() != nil {
		c.freeTerminal(agent.KillTerminal, made.TerminalID)
	}
	printed, printedErr := c.useEditor(ctx, agent.EditorRequested{Action: agent.TerminalOutput, TerminalID: made.TerminalID})
	if printedErr == nil && printed.Output != nil {
		// The terminal shows the output now, but won't exist when the session is
		// loaded.
		c.output.WriteString(*printed.Output)
		c.printed = rawArgs(terminalOutput{*printed.Output, printed.Truncated})
	}
	switch {
	case err != nil:
		return c.failed(err)
	case end.Signal != "":
		return c.failed(errors.New("signal: " + end.Signal))
	case end.ExitCode == nil:
		return c.failed(errNoStatus)
	}
	return c.exited(*end.ExitCode)
}

// terminalOutput is a terminal's output at the end of its command.
type terminalOutput struct {
	Output    string `json:"output"`
	Truncated bool   `json:"truncated,omitempty"`
}

// useEditor sends a request to the editor, and waits for the response until ctx
// ends.
func (c *call) useEditor(ctx context.Context, e agent.EditorRequested) (agent.EditorResponse, error) {
	e.RequestID = c.box.newID("editor")
	answer, forget := c.box.editor.expect(e.RequestID)
	defer forget()
	if !c.turn.Send(ctx, &e) {
		return agent.EditorResponse{}, context.Cause(ctx)
	}
	select {
	case r := <-answer:
		if !r.OK {
			return r, errors.New(r.Error)
		}
		return r, nil
	case <-ctx.Done():
		return agent.EditorResponse{}, context.Cause(ctx)
	}
}

// freeTerminal kills the command in a terminal, or releases the terminal, even in
// a cancelled turn. It waits for the editor only briefly, because nothing depends
// on the result.
func (c *call) freeTerminal(action agent.EditorAction, id string) {
	ctx, cancel := context.WithTimeout(c.turn.Life(), stopGrace)
	defer cancel()
	if _, err := c.useEditor(ctx, agent.EditorRequested{Action: action, TerminalID: id}); err != nil {
		c.box.log.Debug("the editor did not release a terminal", "action", action, "error", err)
	}
}
