package wire

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// step decodes agent.run.step.created: another round with the model starts.
func (s *State) step(l *dialect.Line) {
	var data struct {
		StepID string `json:"stepId"`
	}
	if !l.Read(&data) {
		return
	}
	s.resume()
	l.Emit(&agent.StepStart{StepID: data.StepID})
}

// resume records that the run continues: the required action was not a pause,
// or the pause is over.
func (s *State) resume() {
	s.required, s.paused, s.done, s.status = nil, nil, false, ""
}

// statusChange decodes agent.run.status.changed. Most changes accompany a more
// detailed event. Only a cancel and an expiry do not. The status also
// distinguishes a pause from a round of tools.
func (s *State) statusChange(l *dialect.Line) {
	var data struct {
		Status  string          `json:"currentStatus"`
		Details json.RawMessage `json:"details"`
	}
	if !l.Read(&data) {
		return
	}
	details := text(data.Details)
	switch data.Status {
	case "cancelled":
		s.end(&agent.Done{StopReason: agent.StopCancelled}, l)
		return
	case "expired":
		s.end(&agent.Error{Error: sentence("The run expired", details), Code: "expired"}, l)
		return
	case "requires_action":
		s.pause(l)
		return
	case "queued", "in_progress":
		s.resume()
	case "failed", "cancelling":
		s.status = sentence("its last status was "+data.Status, details)
	}
	l.Emit(&agent.Telemetry{Name: statusChanged, Data: dataOf(l)})
}

// end emits the end of a run once: most failures are reported twice.
func (s *State) end(event agent.Event, l *dialect.Line) {
	if s.done {
		return
	}
	s.done, s.required = true, nil
	clear(s.calls)
	l.Emit(event)
}

// complete decodes thread.run.completed. Most of its messages were sent before;
// the normalizer drops repeated text.
func (s *State) complete(l *dialect.Line) {
	var data struct {
		FinalMessages json.RawMessage `json:"finalMessages"`
	}
	if !l.Read(&data) {
		return
	}
	var list []message
	// The run has ended even if its messages can't be decoded.
	_ = exactjson.Unmarshal(data.FinalMessages, &list)
	var texts []string
	for _, m := range list {
		if m.Role != "assistant" && m.Role != "" {
			continue
		}
		if m.Content.text != "" {
			texts = append(texts, m.Content.text)
		}
		if !s.done && !s.showImages(m, l) {
			return
		}
	}
	s.end(&agent.Done{Text: strings.Join(texts, "\n\n")}, l)
}

// fail decodes thread.run.failed. Some failures correspond to ACP stop reasons.
func (s *State) fail(l *dialect.Line) {
	var data struct {
		Error json.RawMessage `json:"error"`
	}
	if !l.Read(&data) {
		return
	}
	s.end(failure(data.Error), l)
}

func failure(raw json.RawMessage) agent.Event {
	var f struct {
		Code    json.RawMessage `json:"code"`
		Message json.RawMessage `json:"message"`
		Details json.RawMessage `json:"details"`
	}
	if exactjson.Unmarshal(raw, &f) != nil {
		f.Message = raw // a bare string, or something unreadable
	}
	code, message := text(f.Code), text(f.Message)
	switch {
	case code == "llm_finish_reason_error" && strings.HasSuffix(message, "content_filter"):
		return &agent.Done{StopReason: agent.StopRefusal}
	case code == "llm_finish_reason_error" && strings.HasSuffix(message, "length"):
		return &agent.Done{StopReason: agent.StopMaxTokens}
	case code == "iteration_limit_exceeded":
		return &agent.Done{StopReason: agent.StopMaxTurnRequests}
	}
	if code == "" {
		code = "run_failed" // failures of the handler itself have no code
	}
	if message == "" {
		message = "The run failed without a reason."
	}
	// Details other than text include the headers of the model's provider. They
	// are meant for the agent's operator, and may contain secrets.
	return &agent.Error{Error: sentence(message, text(f.Details)), Code: code}
}

// text returns the string that raw holds, or "" if it is not a string.
func text(raw json.RawMessage) string {
	var s string
	if exactjson.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// sentence appends more to said, if it is not empty.
func sentence(text, more string) string {
	if more == "" {
		return text
	}
	return strings.TrimRight(text, ".: ") + ": " + more
}
