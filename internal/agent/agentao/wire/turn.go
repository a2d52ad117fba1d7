package wire

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// turnBegin starts a turn. It ignores the prompt, which the user knows.
func (s *state) turnBegin(l *dialect.Line) {
	if !l.OK() {
		return
	}
	s.forget(l)
	l.Emit(&agent.RunStart{Source: "agentao"})
}

// turnStart starts a round with the model. It also follows a refused call, and
// comes from helper agents, even in the middle of an answer if they run in the
// background. So it does not end pending calls. In streams with llm_call_started,
// that event starts another answer instead.
func (s *state) turnStart(l *dialect.Line) {
	s.answer.stale, s.stepped = !s.counted, true
	l.Emit(new(agent.StepStart))
}

// callStarted ends a batch of tools: the model is called again.
func (s *state) callStarted(l *dialect.Line) {
	if !l.OK() {
		return
	}
	s.endPending(l)
	s.approvals = nil
	s.answer.forget()
	s.counted = true
	if !s.stepped { // a replay has no turn_start
		l.Emit(new(agent.StepStart))
	}
	s.stepped = false
	l.Emit(telemetry(l))
}

// callCompleted counts the tokens of a request. The prompt tokens are the
// context.
func (s *state) callCompleted(l *dialect.Line) {
	status, class := l.Key("status"), l.Key("error_class")
	in, out := l.Int("prompt_tokens"), l.Int("completion_tokens")
	if !l.OK() {
		return
	}
	s.blame = ""
	if status == "error" {
		s.blame = class
	}
	if in > 0 || out > 0 {
		l.Emit(&agent.Usage{InputTokens: max(in, 0), OutputTokens: max(out, 0)})
	}
	l.Emit(telemetry(l))
}

// Texts that Agentao inserts if the model sent none, or if Agentao stopped the
// turn itself (agentao/runtime/chat_loop). They are not part of an answer.
var (
	noAnswer = []string{"[No response]", "[No text response]"}
	doomLoop = "Tool execution halted by doom-loop detection."
)

// turnEnd ends a turn. Even with the status "ok" the answer may be missing; see
// incomplete_reason.
func (s *state) turnEnd(l *dialect.Line) {
	final, status := l.String("final_text"), l.Key("status")
	failure, reason := l.String("error"), l.Key("incomplete_reason")
	if !l.OK() {
		return
	}
	s.endPending(l)
	rest, goesOn := s.answer.rest(final)
	switch {
	case status == "cancelled":
		cancelled(l, rest, goesOn)
	case status == "error":
		l.Emit(&agent.Error{Error: hide(first(failure, rest, "Agentao ended the turn with an error")), Code: "agent_failed"})
	case reason == "llm_error":
		s.modelFailed(l, first(rest, final))
	default:
		incomplete(l, reason, rest, goesOn)
	}
	s.forget(l)
}

// cancelled ends a turn that the user has cancelled. It drops the text that
// Agentao generates for a cancel, which has no further information.
func cancelled(l *dialect.Line, rest string, goesOn bool) {
	if !strings.HasPrefix(rest, "[Cancelled") && !strings.HasPrefix(rest, "[Interrupted") {
		sayRest(l, rest, goesOn)
	}
	l.Emit(&agent.Done{StopReason: agent.StopCancelled})
}

// sayRest emits text that was never streamed. If it does not continue the
// streamed text, it becomes a separate message.
func sayRest(l *dialect.Line, rest string, goesOn bool) {
	if strings.TrimSpace(rest) == "" {
		return
	}
	e := &agent.TextDelta{Text: agent.NewText(rest)}
	if !goesOn {
		e.MessageID = "final"
	}
	l.Emit(e)
}

// codeOf returns the error code for an exception class of the OpenAI library.
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

// modelFailed ends a turn in which the model request failed. Agentao puts the
// reason, in brackets, where the answer would be.
func (s *state) modelFailed(l *dialect.Line, notice string) {
	reason := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(notice), "[LLM API error: "), "]")
	code := codeOf(s.blame)
	text := "Agentao could not get an answer from its model: " + hide(first(reason, "no reason given"))
	if code == "unauthorized" {
		text += ". Check the API key in its environment or in .env"
	}
	l.Emit(&agent.Error{Error: text, Code: code})
}

// incomplete ends a turn whose status is "ok". reason is empty if there is an
// answer.
func incomplete(l *dialect.Line, reason, rest string, goesOn bool) {
	done := new(agent.Done)
	for _, made := range noAnswer {
		if strings.TrimSpace(rest) == made && reason != "" {
			rest = ""
		}
	}
	if reason == "doom_loop" && strings.TrimSpace(rest) == doomLoop {
		rest = ""
	}
	sayRest(l, rest, goesOn)
	switch reason {
	case "":
	case "length_truncated":
		done.StopReason = agent.StopMaxTokens
	case "max_iterations":
		done.StopReason = agent.StopMaxTurnRequests
	case "doom_loop":
		done.StopReason = agent.StopMaxTurnRequests
		l.Emit(&agent.Halt{Kind: reason, Message: "Agentao stopped because the model repeated the same tool call."})
	case "no_output":
		warn(l, "The model ended the turn without an answer.")
	case "reasoning_only":
		warn(l, "The model ended the turn with thoughts only, without an answer.")
	default:
		warn(l, "Agentao ended the turn without a complete answer ("+reason+").")
	}
	l.Emit(done)
}
