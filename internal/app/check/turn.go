package check

import (
	"context"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// A behaviour is what the user does in a turn.
type behaviour struct {
	allow     bool // allow what the agent asks for
	cancel    bool
	atRequest bool // cancel when the agent asks something
	steer     bool // send a message during the turn, if the agent accepts any
}

// turn runs one turn. It reports whether the script can continue.
func (r *runner) turn(ctx context.Context, b behaviour) bool {
	if r.hasEnded() {
		// Like the bridge, restart an agent that exited successfully after its turn.
		if status := r.child.Wait(); status.Code != 0 || status.Signal != "" {
			r.found("exited", r.exited("between two turns"))
		}
		r.stop()
		if !r.start() {
			return false
		}
		r.listen(ctx, greeting, func() bool { return r.introduced })
	}
	r.turns++
	r.pending, r.refused, r.stopped = nil, make(map[string]bool), ""
	r.linter.Laws.Begin(r.turnID())
	r.send(r.prompt())
	deadline := time.Now().Add(r.Timeout)
	if r.turns == 1 && !r.begins(ctx) {
		return false
	}
	ended, cancelled, atAsk := r.follow(ctx, b, deadline)
	if ctx.Err() != nil {
		return false
	}
	if !ended {
		return r.unended(ctx, cancelled)
	}
	r.listen(ctx, settling, func() bool { return false }) // catch events after the end of the turn
	if r.unread != "" {
		r.unchecked("steer", "the turn ended before the agent read a message in it, so the handling of messages during a turn was not checked")
		r.unread = ""
	}
	switch {
	case !b.cancel:
	case !cancelled:
		r.unchecked("cancel", "the turn ended before it could be cancelled, so cancelling was not checked")
	case r.stopped != agent.StopCancelled && atAsk:
		r.found("cancel-unsaid", fmt.Sprintf("the cancelled turn ended with the stop reason %q", r.stopped))
	case r.stopped != agent.StopCancelled:
		r.unchecked("cancel", "the turn ended immediately after the cancel, but may have ended without it, so cancelling was not checked")
	}
	return true
}

// prompt returns the command that starts a turn.
func (r *runner) prompt() agent.Prompt {
	return agent.Prompt{
		Type: agent.CommandPrompt, SessionID: r.session, TurnID: r.turnID(), Cwd: r.Dir, Text: r.Prompt,
		Blocks: []agent.Content{{Type: "text", Text: r.Prompt}},
	}
}

// begins waits for a sign of the first turn, and reports its absence. It returns false if
// waiting longer is pointless.
func (r *runner) begins(ctx context.Context) bool {
	begun := r.received
	r.listen(ctx, min(silence, r.Timeout), func() bool { return !r.linter.Laws.Running() || r.received > begun || len(r.pending) > 0 })
	if r.received > begun || r.Timeout <= silence || ctx.Err() != nil || r.isOver() {
		return true
	}
	return r.silent(ctx)
}

// follow answers the agent's requests until the turn ends.
func (r *runner) follow(ctx context.Context, b behaviour, deadline time.Time) (ended, cancelled, atAsk bool) {
	laws := &r.linter.Laws
	finished := func() bool { return !laws.Running() }
	begun := r.received
	if r.misused && !r.spoke && !r.listen(ctx, silence, func() bool { return r.spoke || finished() }) {
		return false, cancelled, atAsk
	}
	if b.cancel && !b.atRequest {
		r.listen(ctx, middle, func() bool { return finished() || r.received > begun })
		if !finished() {
			cancelled = r.cancelTurn()
		}
	}
	if b.steer && r.steerable {
		r.steer(ctx, finished)
	}
	for !finished() && ctx.Err() == nil {
		if !r.listen(ctx, time.Until(deadline), func() bool { return finished() || len(r.pending) > 0 }) {
			return false, cancelled, atAsk
		}
		if b.cancel && !cancelled && !finished() && len(r.pending) > 0 {
			atAsk, cancelled = true, r.cancelTurn()
		}
		pending := r.pending
		r.pending = nil
		for _, a := range pending {
			r.answer(a, b.allow && !cancelled, cancelled)
		}
	}
	return finished(), cancelled, atAsk
}

func (r *runner) isOver() bool { return r.child != nil && isClosed(r.child.Done()) }

func (r *runner) cancelTurn() bool {
	r.send(agent.Cancel{Type: agent.CommandCancel, SessionID: r.session, TurnID: r.turnID()})
	return true
}

// misuse explains why a command that has printed nothing is probably not an agent, or not
// one that prints events.
func (r *runner) misuse() (_ lint.Finding, ok bool) {
	if r.Misuse != nil {
		return *r.Misuse, true
	}
	if r.child == nil { // a server
		return lint.Finding{}, false
	}
	return lint.Stderr(r.child.StderrTail())
}

// unended reports why a turn didn't end.
func (r *runner) unended(ctx context.Context, cancelled bool) bool {
	why, misused := r.misuse()
	switch {
	case r.misused && !r.spoke:
		return false // the lines say it
	case misused && r.received == 0 && ctx.Err() == nil:
		r.Tell(why)
		return false
	}
	if r.hasEnded() || r.isOver() {
		r.found("exited", r.exited("during a turn"))
		return false
	}
	if r.received == 0 && r.child == nil {
		r.found("no-answer", fmt.Sprintf("the server sent nothing for %s", r.Timeout))
		return false
	}
	if r.received == 0 {
		r.closeStdin()
		if r.listen(ctx, ending, func() bool { return r.received > 0 }) {
			f := lint.New("not-flushed", fmt.Sprintf("nothing arrived for %s, then all output when stdin was closed: the agent reads stdin to its end, or doesn't flush its output", r.Timeout))
			r.Tell(f)
			r.listen(ctx, ending, func() bool { return false })
			return false
		}
		if ctx.Err() == nil {
			r.found("no-answer", fmt.Sprintf("the agent printed nothing for %s", r.Timeout))
		}
		return false
	}
	if cancelled {
		r.found("cancel-ignored", fmt.Sprintf("the cancelled turn did not end within %s", r.Timeout))
		return false
	}
	f := lint.New("no-done", fmt.Sprintf("the turn did not end within %s: there was no `done` or `error`", r.Timeout))
	if r.linter.Laws.Strayed() {
		f.Message += " for this turn"
	}
	if r.late {
		f.Message += "; `agent_info` came late, so `prompt` was sent before `session`: did the agent ignore `prompt`?"
	}
	r.Tell(f)
	return false
}

// answer answers a request.
func (r *runner) answer(a pendingRequest, allow, cancelled bool) {
	switch {
	case a.confirmation != nil:
		r.confirm(a.confirmation, allow, cancelled)
	case a.question != nil:
		r.reply(a.question, cancelled)
	case a.tool != "":
		r.send(agent.ToolResponse{
			Type: agent.CommandTool, SessionID: r.session, TurnID: r.turnID(), ToolCallID: a.tool, Cancelled: cancelled,
			Text: "Error: no tool runs during a check.",
		})
	default:
		r.send(agent.EditorResponse{
			Type: agent.CommandEditor, SessionID: r.session, TurnID: r.turnID(), RequestID: a.editor,
			Error: "not supported: this is a check without an editor",
		})
	}
}

func (r *runner) confirm(c *agent.ConfirmationRequested, allow, cancelled bool) {
	response := agent.ConfirmationResponse{
		Type: agent.CommandConfirmation, SessionID: r.session, TurnID: r.turnID(),
		ConfirmationID: c.ConfirmationID, ToolCallID: c.ToolCallID, Decision: agent.RejectOnce,
	}
	if allow {
		response.Decision = agent.AllowOnce
	}
	decisions := c.Decisions
	for _, o := range c.Options {
		decisions = append(decisions, o.Kind)
	}
	if len(decisions) > 0 {
		response.Decision = agent.NotDecided
		for _, d := range decisions {
			if d.Known() && d.Allows() == allow {
				response.Decision = d
				break
			}
		}
	}
	for _, o := range c.Options {
		if o.Kind == response.Decision {
			response.OptionID = o.ID
			break
		}
	}
	if cancelled {
		response = response.Refused()
	}
	if !response.Decision.Allows() {
		r.refused[c.ToolCallID] = true
	}
	r.send(response)
}

// maxChosen limits how many fields are filled in for a question.
const maxChosen = 64

func (r *runner) reply(q *agent.QuestionAsked, cancelled bool) {
	response := agent.QuestionResponse{
		Type: agent.CommandQuestion, SessionID: r.session, TurnID: r.turnID(), QuestionID: q.QuestionID, Answer: "yes",
	}
	switch {
	case q.URL != "" || len(q.Fields) > maxChosen:
		cancelled = true
	case len(q.Fields) > 0:
		r.unchecked("fields", "the agent asked a question with fields, which was cancelled, so its handling of values was not checked")
		cancelled = true
	case len(q.Options) > 0:
		response.Answer = q.Options[0]
		if q.Multiple {
			response.Answers = q.Options[:1]
		}
	}
	if cancelled {
		response = response.Refused()
	}
	r.send(response)
}
