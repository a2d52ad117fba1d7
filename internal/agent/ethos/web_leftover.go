package ethos

import (
	"context"
	"errors"
)

// A leftover describes events of the previous turn that may still arrive. Only
// the trace in a turn's first and last events says which turn they belong to.
type leftover struct {
	turn  bool   // the turn was cut off before its end
	trace string // the trace of that turn
	done  bool   // the turn was refused with an error, which a done follows
}

// refusals are the codes of errors that Ethos follows with a done
// (agent-loop/stages/turn-setup.ts).
var refusals = []string{"BUDGET_EXCEEDED", "personality_locked", "FS_REACH_INVALID"}

// isLeftover reports whether an event seems to belong to the previous turn.
func (w *webTurn) isLeftover(h *head) bool {
	old := w.leftover
	switch {
	case h.Type == "done" && old.done && h.TurnCount == 0 && h.Text == "":
		w.leftover.done = false
		return true
	case !old.turn:
		return false
	case h.Type == "run_start":
		return old.trace != "" && h.TraceID == old.trace
	case h.Type == "error", h.Type == "done" && old.trace != "" && h.TraceID == old.trace:
		w.leftover.turn = false
		return true
	}
	return h.Type != "done"
}

// refuse refuses a request from a turn that is over.
func (w *webTurn) refuse(ctx context.Context, h *head) {
	var err error
	switch h.Type {
	case "tool.approval_required":
		err = w.backend.deny(ctx, h.Request.ApprovalID, reasonCancelled)
	case "clarify.request":
		err = w.backend.respond(ctx, h.RequestID, "", sourceCancel)
	}
	if err != nil {
		w.backend.log.Warn("an ended turn is still waiting", "error", err)
	}
}

// leave ends a turn that was cut off: Ethos must neither continue it nor wait.
func (w *webTurn) leave(ctx context.Context) {
	if w.ended || !w.sent {
		return
	}
	b := w.backend
	if b.session() == "" {
		return // Ethos accepts no calls without the conversation's id
	}
	b.leftover = leftover{turn: true, trace: w.trace}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := errors.Join(b.refuseAll(ctx), b.abort(ctx)); err != nil {
		b.log.Warn("Ethos could not be notified that a turn ended", "error", err)
	}
}
