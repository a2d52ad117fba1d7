package agentao

import (
	"regexp"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// turnBegin begins a turn; what it repeats of the prompt is the person's own.
func (d *decoder) turnBegin(string, []byte) error {
	d.forget()
	d.emit(&agent.RunStart{Source: "agentao"})
	return nil
}

// forget forgets a turn.
func (d *decoder) forget() {
	d.letGo()
	d.calls.forget()
	d.approvals, d.helpers = nil, nil
	d.said.forget()
	d.output.id, d.question, d.blame, d.stepped = "", "", "", false
}

// turnStart begins a round with the model. It comes after a refused call and
// from helper agents too, in the background even amid an answer: the calls that
// wait go on waiting, and another answer begins with llm_call_started, in
// streams that have it.
func (d *decoder) turnStart(string, []byte) error {
	d.said.stale, d.stepped = !d.counted, true
	d.emit(new(agent.StepStart))
	return nil
}

// callStarted ends a batch of tools: the model is asked again.
func (d *decoder) callStarted(name string, data []byte) error {
	d.letGo()
	d.approvals = nil
	d.said.forget()
	d.counted = true
	if !d.stepped { // a replay has no turn_start
		d.emit(new(agent.StepStart))
	}
	d.stepped = false
	return d.telemetry(name, data)
}

// callCompleted counts the tokens of a request: the prompt is the context.
func (d *decoder) callCompleted(name string, data []byte) error {
	var e struct {
		Status string `json:"status"`
		Class  string `json:"error_class"`
		In     int64  `json:"prompt_tokens"`
		Out    int64  `json:"completion_tokens"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.blame = ""
	if e.Status == "error" {
		d.blame = e.Class
	}
	if e.In > 0 || e.Out > 0 {
		d.emit(&agent.Usage{InputTokens: max(e.In, 0), OutputTokens: max(e.Out, 0)})
	}
	return d.telemetry(name, data)
}

// Texts that Agentao puts where the model gave none, or where it stopped the
// turn itself (agentao/runtime/chat_loop). They are no part of an answer.
var (
	noAnswer = []string{"[No response]", "[No text response]"}
	doomLoop = "Tool execution halted by doom-loop detection."
)

// turnEnd ends a turn. That its status is "ok" does not mean that there is an
// answer: incomplete_reason tells.
func (d *decoder) turnEnd(_ string, data []byte) error {
	var e struct {
		FinalText string `json:"final_text"`
		Status    string `json:"status"`
		Error     string `json:"error"`
		Reason    string `json:"incomplete_reason"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.letGo()
	rest, goesOn := d.said.unsaid(e.FinalText)
	switch {
	case e.Status == "cancelled":
		d.cancelled(rest, goesOn)
	case e.Status == "error":
		d.emit(&agent.Error{Error: hide(first(e.Error, rest, "Agentao ended the turn with an error")), Code: "agent_failed"})
	case e.Reason == "llm_error":
		d.modelFailed(first(rest, e.FinalText))
	default:
		d.emit(d.incomplete(e.Reason, rest, goesOn))
	}
	d.forget()
	return nil
}

// cancelled ends a turn that the person has stopped. The text that Agentao
// makes up for it says nothing else.
func (d *decoder) cancelled(rest string, goesOn bool) {
	if !strings.HasPrefix(rest, "[Cancelled") && !strings.HasPrefix(rest, "[Interrupted") {
		d.sayRest(rest, goesOn)
	}
	d.emit(&agent.Done{StopReason: agent.StopCancelled})
}

// sayRest gives the text that was never streamed, as a message of its own
// where it is another text than what was.
func (d *decoder) sayRest(rest string, goesOn bool) {
	if strings.TrimSpace(rest) == "" {
		return
	}
	e := &agent.TextDelta{Text: rawjson.Quote(rest)}
	if !goesOn {
		e.MessageID = "final"
	}
	d.emit(e)
}

// codeOf is what a class of the OpenAI library's failures means.
func codeOf(class string) string {
	switch class {
	case "AuthenticationError":
		return "unauthorized"
	case "PermissionDeniedError":
		return "http_403"
	case "NotFoundError":
		return "http_404"
	case "RateLimitError":
		return "http_429"
	case "APIConnectionError", "APITimeoutError":
		return "model_unreachable"
	}
	return "model_failed"
}

// modelFailed ends a turn in which the model could not be asked. Agentao puts
// the reason, in brackets, where the answer would be.
func (d *decoder) modelFailed(notice string) {
	reason := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(notice), "[LLM API error: "), "]")
	code := codeOf(d.blame)
	text := "Agentao could not get an answer from its model: " + hide(first(reason, "no reason given"))
	if code == "unauthorized" {
		text += ". Check the API key in its environment or in .env"
	}
	d.emit(&agent.Error{Error: text, Code: code})
}

// incomplete is the end of a turn whose status is "ok".
func (d *decoder) incomplete(reason, rest string, goesOn bool) *agent.Done {
	done := new(agent.Done)
	for _, made := range noAnswer {
		if strings.TrimSpace(rest) == made && reason != "" {
			rest = ""
		}
	}
	if reason == "doom_loop" && strings.TrimSpace(rest) == doomLoop {
		rest = ""
	}
	d.sayRest(rest, goesOn)
	switch reason {
	case "":
	case "length_truncated":
		done.StopReason = agent.StopMaxTokens
	case "max_iterations":
		done.StopReason = agent.StopMaxTurnRequests
	case "doom_loop":
		done.StopReason = agent.StopMaxTurnRequests
		d.emit(&agent.Halt{Kind: reason, Message: "Agentao stopped because the model made the same tool call again and again."})
	case "no_output":
		d.warn("The model ended the turn without an answer.")
	case "reasoning_only":
		d.warn("The model ended the turn with thoughts only, without an answer.")
	default:
		d.warn("Agentao ended the turn without a complete answer (" + reason + ").")
	}
	return done
}

func (d *decoder) warn(message string) {
	d.emit(&agent.Notice{Severity: "warning", Message: message})
}

// first is the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// keys are the shapes of API keys that providers repeat when they refuse one.
var keys = regexp.MustCompile(`(?i)\b(?:bearer\s+|(?:sk|pk|rk|gsk|xai)[-_]|AIza)[-\w.*]{8,}`)

// hide takes keys out of what is shown.
func hide(text string) string { return keys.ReplaceAllString(text, "[hidden]") }
