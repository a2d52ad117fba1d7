package wire

import (
	"cmp"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// streamEvent decodes a piece of a message. Those of sub-agents are ignored.
func streamEvent(s *State, l *dialect.Line) {
	event := l.Object("event")
	if l.Key("parent_tool_use_id") != "" {
		return
	}
	switch event.Key("type") {
	case "message_start":
		m := event.Object("message")
		s.message, s.model, s.usage = m.Key("id"), m.Key("model"), tokens(m.Object("usage"))
	case "message_delta":
		s.usage.OutputTokens = event.Object("usage").Int("output_tokens")
		usage := s.usage
		l.Emit(&usage)
	case "content_block_start":
		block := event.Object("content_block")
		name := block.Key("name")
		if s.call = ""; block.Key("type") == "tool_use" && !isHidden(name) {
			s.call = block.Key("id")
			l.Emit(&agent.ToolPending{ToolCallID: s.call, ToolName: name, View: View(name, nil)})
		}
	case "content_block_delta":
		switch delta := event.Object("delta"); delta.Key("type") {
		case "text_delta":
			l.EmitText(agent.TextDelta{MessageID: s.message, Text: delta.Piece("text")})
		case "thinking_delta":
			l.EmitThinking(agent.ThinkingDelta{MessageID: s.message, Thinking: delta.Piece("thinking")})
		case "input_json_delta":
			if s.call != "" {
				l.EmitArgs(agent.ToolArgsDelta{ToolCallID: s.call, Delta: delta.Piece("partial_json")})
			}
		}
	}
}

func tokens(u *dialect.Fields) agent.Usage {
	return agent.Usage{
		InputTokens: u.Int("input_tokens"), OutputTokens: u.Int("output_tokens"),
		CacheReadTokens: u.Int("cache_read_input_tokens"), CacheCreationTokens: u.Int("cache_creation_input_tokens"),
	}
}

// assistant decodes a message, or one block of it.
func assistant(s *State, l *dialect.Line) {
	m, parent := l.Object("message"), l.Key("parent_tool_use_id")
	id := m.Key("id")
	s.failure = l.String("error")
	for b := range m.Objects("content") {
		switch kind, text := b.Key("type"), b.Text("text", "thinking"); {
		case kind == "tool_use":
			s.toolUse(l, b, parent)
		case parent != "" && kind == "text":
			l.EmitOutput(agent.ToolOutput{ToolCallID: parent, Text: agent.NewText(text.String() + "\n")})
		case parent != "" || id == s.message: // its pieces were streamed
		case kind == "thinking":
			l.EmitThinking(agent.ThinkingDelta{MessageID: id, Thinking: text})
		case s.failure == "":
			l.EmitText(agent.TextDelta{MessageID: id, Text: text})
		}
	}
	if parent == "" && id != s.message {
		usage := tokens(m.Object("usage"))
		s.model = m.Key("model")
		l.Emit(&usage)
	}
}

// user decodes the results of tools, and the mark of an interrupted turn.
func user(s *State, l *dialect.Line) {
	m := l.Object("message")
	if m.IsString("content") {
		return // a command's output, which is meant for a terminal
	}
	for b := range m.Objects("content") {
		if b.Key("type") == "tool_result" {
			s.toolResult(l, b)
		} else if strings.HasPrefix(b.String("text"), "[Request interrupted by user") {
			s.cancelled = true
		}
	}
}

var stopReasons = map[string]agent.StopReason{"max_tokens": agent.StopMaxTokens, "refusal": agent.StopRefusal}

// result ends a turn, unless Claude Code started the turn by itself.
func result(s *State, l *dialect.Line) {
	cost, window, models := l.Float("total_cost_usd"), int64(0), l.Object("modelUsage")
	for name := range models.All() {
		if strings.HasPrefix(name.String(), s.model) { // the name may say more, such as the size
			window = max(window, models.Object(name.String()).Int("contextWindow"))
		}
	}
	text, code, reason := cmp.Or(l.String("result"), strings.Trim(l.Shown("errors").String(), `["]`)), s.failure, l.Key("subtype")
	cancelled := s.cancelled || strings.HasPrefix(l.Key("terminal_reason"), "aborted")
	l.Emit(&agent.Usage{EstimatedCostUSD: max(cost-s.cost, 0), ContextWindow: window})
	s.cost, s.failure, s.cancelled = max(cost, s.cost), "", false
	clear(s.hidden)
	waiting := s.waiting
	s.waiting = !cancelled && !l.Bool("is_error") && (len(s.background) > 0 || l.Int("queued_turn_count") > 0)
	if !s.waiting {
		clear(s.background) // a cancel has ended them
	}
	switch {
	case s.waiting, !waiting && l.Object("origin").Key("kind") == "task-notification":
	case cancelled:
		l.Emit(&agent.Done{StopReason: agent.StopCancelled})
	case reason == "error_max_turns" || reason == "error_max_budget_usd":
		l.Emit(&agent.Done{StopReason: agent.StopMaxTurnRequests})
	case code == "authentication_failed":
		l.Emit(&agent.Error{Error: text + " in a terminal (claude)", Code: "unauthorized"})
	case l.Bool("is_error"):
		l.Emit(&agent.Error{Error: cmp.Or(text, reason), Code: code})
	default:
		l.Emit(&agent.Done{Text: text, TurnCount: l.Int("num_turns"), StopReason: stopReasons[l.Key("stop_reason")]})
	}
}
