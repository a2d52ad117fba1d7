package lint

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/suggest"
)

// maxShown limits a name quoted in a message, in bytes.
const maxShown = 80

// shown quotes a name for a message.
func shown(name string) string {
	if len(name) > maxShown {
		name = strings.ToValidUTF8(name[:maxShown], "") + "…"
	}
	return fmt.Sprintf("%q", name)
}

// UnknownEvent returns the finding for an event whose type is not in known.
func UnknownEvent(line []byte, name string, known []string) Finding {
	switch {
	case isCommand(name):
		return New(Echo, "the program repeats its input").on(line)
	case isStreamJSON(line, name):
		return New(StreamJSON, "this is Claude Code's stream-json").on(line)
	}
	f := about("unknown-event", name[:min(len(name), maxShown)], "unknown event "+shown(name), "")
	switch meant := suggest.Of(name, known); {
	case meant != "":
		f.Message += fmt.Sprintf("; did you mean %q?", meant)
		f.Help = fmt.Sprintf("Use %q.", meant)
	case other(name) != "":
		f.Message += fmt.Sprintf("; did you mean %q?", other(name))
		f.Help = fmt.Sprintf("Use %q.", other(name))
	default:
		f.Severity = Warning // a custom event, passed on to clients that request such events
		f.Help = "Turnwire doesn't show it. See the list of events."
	}
	f.Path = "$.type"
	if from, to, ok := span(line, "type"); ok {
		return f.at(line, from, to)
	}
	return f.on(line)
}

func isCommand(name string) bool {
	switch name {
	case agent.CommandSession, agent.CommandPrompt, agent.CommandCancel, agent.CommandConfirmation,
		agent.CommandQuestion, agent.CommandEditor, agent.CommandTool, agent.CommandSetOption:
		return true
	}
	return false
}

// synonyms maps other common names of events to ours.
var synonyms = map[string]string{
	"text": "text_delta", "message": "text_delta", "content_delta": "text_delta", "delta": "text_delta", "token": "text_delta",
	"answer": "text_delta", "assistant": "text_delta", "chunk": "text_delta",
	"thinking": "thinking_delta", "thought": "thinking_delta", "reasoning": "thinking_delta", "reasoning_delta": "thinking_delta",
	"tool_call": "tool_start", "tool_use": "tool_start", "tool_result": "tool_end", "tool_finish": "tool_end",
	"confirmation": "tool_confirmation_request", "permission_request": "tool_confirmation_request", "ask": "question",
	"end": "done", "finish": "done", "stop": "done", "turn_end": "done", "complete": "done", "finished": "done", "result": "done",
	"fail": "error", "failure": "error", "log": "notice", "warning": "notice", "info": "agent_info", "title": "session_title",
}

func other(name string) string { return synonyms[strings.ToLower(name)] }

// Malformed returns the finding for an event with a value of the wrong kind.
// member is its name or path, or "" if unknown.
func Malformed(line []byte, event, member string, cause error) Finding {
	f := about("malformed-event", event+" "+member, event+": "+cause.Error(), "The event was skipped. See the list of events for each member's type.")
	if member == "" {
		return f.on(line)
	}
	f.Path = "$." + member
	from, to := within(line, member)
	return f.at(line, from, to)
}
