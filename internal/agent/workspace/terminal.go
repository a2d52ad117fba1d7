package workspace

import (
	"context"
	"errors"

	"github.com/turnwire/turnwire/agent"
)

var errNoStatus = errors.New("the editor did not report how the command ended")

// runInEditor runs an allowed command in a terminal of the editor, which shows
// the terminal in the call.
func (c *call) runInEditor(command string) outcome {
	ctx, cancel := context.WithTimeoutCause(c.turn.ctx, maxRunTime, errTooLong)
	defer cancel()
	args := shell(command)
	made, err := c.turn.useEditor(ctx, agent.EditorRequested{
		Action: agent.CreateTerminal, Command: args[0], Args: args[1:], Cwd: c.turn.session.files.dirs[0], OutputLimit: maxRunOutput,
	})
	if err != nil {
		return c.fail(err)
	}
	c.view.TerminalID = made.TerminalID
	c.start()
	// The editor shows the terminal as long as it shows the call, but perhaps
	// only if the call names the terminal before it is released.
	defer c.turn.freeTerminal(agent.ReleaseTerminal, made.TerminalID)
	end, err := c.turn.useEditor(ctx, agent.EditorRequested{Action: agent.WaitForTerminal, TerminalID: made.TerminalID})
	if ctx.Err() != nil {
		c.turn.freeTerminal(agent.KillTerminal, made.TerminalID)
	}
	printed, printedErr := c.turn.useEditor(ctx, agent.EditorRequested{Action: agent.TerminalOutput, TerminalID: made.TerminalID})
	if printedErr == nil && printed.Output != nil {
		// The terminal shows the output now, but won't exist when the session is
		// loaded.
		c.printed = rawArgs(terminalOutput{*printed.Output, printed.Truncated})
	}
	switch {
	case err != nil:
		return c.fail(err)
	case end.Signal != "":
		return c.fail(errors.New("signal: " + end.Signal))
	case end.ExitCode == nil:
		return c.fail(errNoStatus)
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
func (t *turn) useEditor(ctx context.Context, e agent.EditorRequested) (agent.EditorResponse, error) {
	e.RequestID = t.session.newID("editor")
	answer, forget := t.session.editor.expect(e.RequestID)
	defer forget()
	if !t.send(ctx, []agent.Event{&e}) {
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
func (t *turn) freeTerminal(action agent.EditorAction, id string) {
	ctx, cancel := context.WithTimeout(t.life, stopGrace)
	defer cancel()
	if _, err := t.useEditor(ctx, agent.EditorRequested{Action: action, TerminalID: id}); err != nil {
		t.session.log.Debug("the editor did not release a terminal", "action", action, "error", err)
	}
}
