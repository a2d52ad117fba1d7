package wire

import (
	"cmp"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// A termination is the reason why a run ended (contract/lifecycle.rs).
type termination struct {
	kind  string
	value value
}

func terminationOf(l *dialect.Line) termination {
	if bare := valueOf(l.Fields, "termination"); bare.isString() {
		return termination{kind: bare.text()}
	}
	f := l.Object("termination")
	return termination{f.Key("type"), valueOf(f, "value")}
}

// runFinish ends the run, or a sub-agent's run. Its result is a text or
// {"response","status","status_reason"?}. For an agent reached through another
// protocol, the result has "output".
func (s *State) runFinish(l *dialect.Line) {
	id, t, result := runID(l), terminationOf(l), valueOf(l.Fields, "result")
	if !l.OK() {
		return
	}
	response := cmp.Or(result.text(), result.OptionalKey("response"), result.OptionalKey("output"))
	r, nested := s.subruns.find(id)
	switch {
	case nested:
		s.endSubrun(l, r, t, response)
		return
	case t.kind == "suspended" && len(s.run.Waiting) > 0:
		s.wait() // the user is asked, and the turn continues
		return
	}
	s.end(t.kind == "suspended")
	s.terminate(l, t, result, response)
	s.forget()
}

// terminate emits the end of the run.
func (s *State) terminate(l *dialect.Line, t termination, result value, response string) {
	done := &agent.Done{Text: response}
	switch t.kind {
	case "natural_end", "behavior_requested", "plugin_requested", "":
		if result.OptionalKey("status") == "waiting" {
			l.Emit(&agent.Notice{Severity: "info", Message: "Background tasks are still running.", Description: result.OptionalKey("status_reason")})
		}
	case "stopped":
		done.StopReason = stopped(l, t.value)
	case "cancelled":
		done.StopReason = agent.StopCancelled
	case "blocked":
		l.Emit(&agent.Notice{Severity: "warning", Message: "The run was blocked.", Description: t.value.text()})
		done.StopReason = agent.StopRefusal
	case "suspended":
		if !s.calls.noticed() { // otherwise the user knows what it waits for
			l.Emit(&agent.Notice{Severity: "warning", Message: "The run is suspended: it waits for something that cannot be provided here."})
		}
	case "error":
		l.Emit(&agent.Error{Error: cmp.Or(t.value.text(), noReason), Code: "awaken_run_error"})
		return
	default:
		l.Emit(&agent.Notice{Severity: "warning", Message: "The run ended: " + t.kind + ".", Description: t.value.text()})
	}
	l.Emit(done)
}

const noReason = "the run failed without a reason"

// A stop is the meaning of a stop code.
type stop struct {
	code     string
	reason   agent.StopReason
	severity string // "": the stop reason suffices, unless there is a detail
	message  string
}

// stops are the stop codes of the current form (policies/policy.rs) and of the
// older one.
var stops = []stop{
	{"max_rounds", agent.StopMaxTurnRequests, "", "The round limit was reached."},
	{"max_rounds_reached", agent.StopMaxTurnRequests, "", "The round limit was reached."},
	{"token_budget", agent.StopMaxTokens, "", "The token budget is spent."},
	{"token_budget_exceeded", agent.StopMaxTokens, "", "The token budget is spent."},
	{"timeout", agent.StopEndTurn, "warning", "The run was stopped: it took too long."},
	{"timeout_reached", agent.StopEndTurn, "warning", "The run was stopped: it took too long."},
	{"consecutive_errors", agent.StopEndTurn, "error", "The run was stopped: too many errors in a row."},
	{"loop_detection", agent.StopEndTurn, "warning", "The run was stopped: it was looping."},
	{"content_match_invalid_regex", agent.StopEndTurn, "error", "The run was stopped: the pattern of its stop condition is invalid."},
	{"stop_on_tool", agent.StopEndTurn, "info", "The run stopped after a tool that ends it."},
	{"content_match", agent.StopEndTurn, "info", "The run stopped at a text that ends it."},
}

// stopped emits why the run was stopped. Any plug-in may have its own code.
func stopped(l *dialect.Line, v value) agent.StopReason {
	code, detail := v.OptionalKey("code"), valueOf(v.Fields, "detail").shown()
	known := stop{reason: agent.StopEndTurn, severity: "warning", message: "The run was stopped: " + code + "."}
	if code == "" {
		known.message = "The run was stopped."
	}
	if i := slices.IndexFunc(stops, func(s stop) bool { return s.code == code }); i >= 0 {
		known = stops[i]
	}
	if known.severity == "" && detail != "" {
		known.severity = "warning"
	}
	if known.severity != "" {
		l.Emit(&agent.Notice{Severity: known.severity, Message: known.message, Description: detail})
	}
	return known.reason
}

func (s *State) endSubrun(l *dialect.Line, r subrun, t termination, response string) {
	end := &agent.SubagentEnd{ID: r.callID, OK: true, Result: response}
	switch t.kind {
	case "suspended":
		return // it will continue
	case "error", "blocked", "cancelled", "stopped":
		end.OK, end.Error = false, cmp.Or(t.value.text(), t.kind)
	}
	s.subruns.end(r.id)
	l.Emit(end)
}

// failure ends the run, because no run continues after an error. The relay's
// own errors come in the older form, even in a stream of the current form.
func (s *State) failure(l *dialect.Line) {
	message, code := cmp.Or(l.String("message"), noReason), valueOf(l.Fields, "code").shown()
	if !l.OK() {
		return
	}
	if r, ok := s.subruns.of(l); ok {
		l.Emit(&agent.SubagentEnd{ID: r.callID, Error: message})
		s.subruns.end(r.id)
		return
	}
	s.end(false)
	l.Emit(&agent.Error{Error: message, Code: code})
	s.forget()
}
