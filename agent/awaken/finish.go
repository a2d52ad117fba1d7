package awaken

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// A termination says why a run ended (contract/lifecycle.rs).
type termination struct {
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"`
}

// UnmarshalJSON also takes the bare name of a termination.
func (t *termination) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return exactjson.Unmarshal(b, &t.Type)
	}
	type plain termination
	return exactjson.Unmarshal(b, (*plain)(t))
}

// text is a value that is a string.
func (t *termination) text() string {
	var s string
	_ = exactjson.Unmarshal(t.Value, &s)
	return s
}

// A result is what a run ended with: {"response","status","status_reason"?},
// and "output" of an agent that is reached through another protocol.
type result struct {
	response string
	waiting  bool
	reason   string
}

// resultOf reads a result, which may be anything.
func resultOf(raw json.RawMessage) result {
	var text string
	if exactjson.Unmarshal(raw, &text) == nil {
		return result{response: text}
	}
	var f struct {
		Response     json.RawMessage `json:"response"`
		Output       json.RawMessage `json:"output"`
		Status       json.RawMessage `json:"status"`
		StatusReason json.RawMessage `json:"status_reason"`
	}
	if exactjson.Unmarshal(raw, &f) != nil {
		return result{}
	}
	r := result{response: str(f.Response), waiting: str(f.Status) == "waiting", reason: str(f.StatusReason)}
	if r.response == "" {
		r.response = str(f.Output)
	}
	return r
}

// str is a value that is a string, "" for any other.
func str(raw json.RawMessage) string {
	var s string
	if exactjson.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// runFinish ends the run, or that of a sub-agent.
func (d *decoder) runFinish(m *message) error {
	var f struct {
		RunID       string          `json:"run_id"`
		Result      json.RawMessage `json:"result"`
		Termination termination     `json:"termination"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	r := resultOf(f.Result)
	if sub := d.subruns.find(d.runID(m, f.RunID)); sub != nil {
		d.endSubrun(sub, f.Termination, r)
		return nil
	}
	if f.Termination.Type == "suspended" && len(d.run.waiting()) > 0 {
		d.run.enter(suspended) // somebody is asked, and the turn goes on
		return nil
	}
	if f.Termination.Type == "suspended" {
		d.run.abandon()
	} else {
		d.run.enter(ended)
	}
	d.terminate(f.Termination, r)
	d.forget()
	return nil
}

// terminate says how the run ended.
func (d *decoder) terminate(t termination, r result) {
	done := &agent.Done{Text: r.response}
	switch t.Type {
	case "natural_end", "behavior_requested", "plugin_requested", "":
		if r.waiting {
			d.emit(&agent.Notice{Severity: "info", Message: "Background tasks are still running.", Description: r.reason})
		}
	case "stopped":
		done.StopReason = d.stopped(t)
	case "cancelled":
		done.StopReason = agent.StopCancelled
	case "blocked":
		d.emit(&agent.Notice{Severity: "warning", Message: "The run was blocked.", Description: t.text()})
		done.StopReason = agent.StopRefusal
	case "suspended":
		if !d.calls.noticed() { // else the person knows what it waits for
			d.emit(&agent.Notice{Severity: "warning", Message: "The run is suspended, and nothing that it waits for can be given from here."})
		}
	case "error":
		message := t.text()
		if message == "" {
			message = "the run failed without saying why"
		}
		d.emit(&agent.Error{Error: message, Code: "awaken_run_error"})
		return
	default:
		d.emit(&agent.Notice{Severity: "warning", Message: "The run ended: " + t.Type + ".", Description: t.text()})
	}
	d.emit(done)
}

// A stop is what a stop code means.
type stop struct {
	code     string
	reason   agent.StopReason
	severity string // "": the stop reason says it all, but for a detail
	message  string
}

// stops are those of the head form (policies/policy.rs) and of the older one.
var stops = []stop{
	{"max_rounds", agent.StopMaxTurnRequests, "", "The limit of rounds was reached."},
	{"max_rounds_reached", agent.StopMaxTurnRequests, "", "The limit of rounds was reached."},
	{"token_budget", agent.StopMaxTokens, "", "The budget of tokens is spent."},
	{"token_budget_exceeded", agent.StopMaxTokens, "", "The budget of tokens is spent."},
	{"timeout", agent.StopEndTurn, "warning", "The run was stopped: it took too long."},
	{"timeout_reached", agent.StopEndTurn, "warning", "The run was stopped: it took too long."},
	{"consecutive_errors", agent.StopEndTurn, "error", "The run was stopped: too many errors in a row."},
	{"loop_detection", agent.StopEndTurn, "warning", "The run was stopped: it went in circles."},
	{"content_match_invalid_regex", agent.StopEndTurn, "error", "The run was stopped: the pattern of its stop condition is wrong."},
	{"stop_on_tool", agent.StopEndTurn, "info", "The run stopped behind a tool that ends it."},
	{"content_match", agent.StopEndTurn, "info", "The run stopped at a text that ends it."},
}

// stopped says why the run was stopped; any plug-in may have a code of its own.
func (d *decoder) stopped(t termination) agent.StopReason {
	var f struct {
		Code   json.RawMessage `json:"code"`
		Detail json.RawMessage `json:"detail"`
	}
	_ = exactjson.Unmarshal(t.Value, &f)
	code, detail := str(f.Code), str(f.Detail)
	if detail == "" && present(f.Detail) {
		detail = string(f.Detail)
	}
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
		d.emit(&agent.Notice{Severity: known.severity, Message: known.message, Description: detail})
	}
	return known.reason
}

func (d *decoder) endSubrun(sub *subrun, t termination, r result) {
	end := &agent.SubagentEnd{ID: sub.callID, OK: true, Result: r.response}
	switch t.Type {
	case "suspended":
		return // it goes on
	case "error", "blocked", "cancelled", "stopped":
		end.OK, end.Error = false, t.text()
		if end.Error == "" {
			end.Error = t.Type
		}
	}
	d.subruns.end(sub.id)
	d.emit(end)
}

// failure ends the run: no run goes on behind an error. Errors of the relay
// itself come in the older form, whatever the stream's.
func (d *decoder) failure(m *message) error {
	var f struct {
		Message string          `json:"message"`
		Code    json.RawMessage `json:"code"`
	}
	if err := m.fields(&f); err != nil {
		return err
	}
	if f.Message == "" {
		f.Message = "the run failed without saying why"
	}
	if sub := d.subruns.of(m); sub != nil {
		d.emit(&agent.SubagentEnd{ID: sub.callID, Error: f.Message})
		d.subruns.end(sub.id)
		return nil
	}
	code := str(f.Code)
	if code == "" && present(f.Code) {
		code = string(bytes.TrimSpace(f.Code))
	}
	d.run.enter(ended)
	d.emit(&agent.Error{Error: f.Message, Code: code})
	d.forget()
	return nil
}
