package chat

import "slices"

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

// afterError returns what may follow an error.
func afterError(code string) leftover { return leftover{done: slices.Contains(refusals, code)} }

// has reports whether an event seems to belong to the previous turn.
func (l *leftover) has(h *head) bool {
	switch {
	case h.Type == "done" && l.done && h.TurnCount == 0 && h.Text == "":
		l.done = false
		return true
	case !l.turn:
		return false
	case h.Type == "run_start":
		return l.trace != "" && h.TraceID == l.trace
	case h.Type == "error", h.Type == "done" && l.trace != "" && h.TraceID == l.trace:
		l.turn = false
		return true
	}
	return h.Type != "done"
}
