package acpmap

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// noticeOf returns a notice for an event that the user must see but that has no
// matching update.
func noticeOf(event agent.Event) (agent.Notice, bool) {
	switch e := event.(type) {
	case *agent.Notice:
		n := *e
		if n.Severity == "" {
			n.Severity = "info"
		}
		return n, true
	case *agent.Halt:
		return agent.Notice{Severity: "warning", Message: e.Message}, true
	case *agent.Error:
		if e.Fatal != nil && !*e.Fatal {
			return agent.Notice{Severity: "error", Message: e.Error}, true
		}
	case *agent.OptionRefused:
		return agent.Notice{Severity: "warning", Message: fmt.Sprintf("%s was not set", e.OptionID), Description: e.Error}, true
	case *agent.StreamReset:
		message := "The agent is restarting this step; ignore its text above."
		return agent.Notice{Severity: "warning", Message: message, Description: e.Reason}, true
	case *agent.CredentialRequired:
		label := e.Label
		if label == "" {
			label = e.CredentialKey
		}
		return agent.Notice{
			Severity:    "warning",
			Message:     fmt.Sprintf("%s needs a credential: %s", e.PluginID, label),
			Description: strings.TrimSpace(e.Description + " " + e.AuthURL),
		}, true
	case *agent.Notification:
		return agent.Notice{Severity: "info", Message: e.Message}, true
	case *agent.DryRunSummary:
		return dryRun(e), true
	case *agent.EvaluatorsComplete:
		return verdicts(e), true
	case *agent.ApprovalResponse:
		if !e.Approved {
			return agent.Notice{Severity: "warning", Message: "A tool call was not approved", Description: e.Reason}, true
		}
	}
	return agent.Notice{}, false
}

// CannotAsk returns a notice about a question that the client can't ask.
func CannotAsk(e *agent.QuestionAsked) *agent.Notice {
	n := &agent.Notice{
		Severity:    "warning",
		Message:     "The agent asked something that this editor cannot show; the agent was told",
		Description: questionText(e),
	}
	if e.URL != "" {
		n.Description += "\n" + e.URL
	}
	return n
}

func dryRun(e *agent.DryRunSummary) agent.Notice {
	lines := make([]string, 0, len(e.Plan)+1)
	for _, call := range e.Plan {
		lines = append(lines, fmt.Sprintf("- %s %s", call.ToolName, call.Args))
	}
	if e.Capped > 0 {
		lines = append(lines, fmt.Sprintf("- and %d more", e.Capped))
	}
	calls := "tool calls"
	total := int64(len(e.Plan)) + e.Capped
	if total == 1 {
		calls = "tool call"
	}
	return agent.Notice{
		Severity:    "info",
		Message:     fmt.Sprintf("Dry run: %d %s would have been made", total, calls),
		Description: strings.Join(lines, "\n"),
	}
}

func verdicts(e *agent.EvaluatorsComplete) agent.Notice {
	n := agent.Notice{Severity: "info"}
	passed := 0
	lines := make([]string, 0, len(e.Results))
	for _, r := range e.Results {
		word := "passed"
		if r.Pass {
			passed++
		} else {
			word = "failed"
			n.Severity = "warning"
		}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("- %s %s %s", r.Name, word, r.Reason)))
	}
	n.Message = fmt.Sprintf("Evaluators: %d of %d passed", passed, len(e.Results))
	n.Description = strings.Join(lines, "\n")
	return n
}

// severityAndSymbol returns a severity that clients know, and its symbol. An unknown
// severity becomes "info".
func severityAndSymbol(severity string) (known, mark string) {
	switch severity {
	case "warning":
		return severity, "⚠"
	case "error":
		return severity, "✖"
	}
	return "info", "ℹ"
}

// notice shows n as a notice to clients that support it, and as a separate message to
// others.
func notice(n agent.Notice, messageID string, c Client) []v1.Update {
	severity, mark := severityAndSymbol(n.Severity)
	if c.Notices {
		return []v1.Update{&v1.Notice{Severity: severity, Title: label(n.Message), Description: label(n.Description)}}
	}
	text := mark + " " + n.Message
	if n.Description != "" {
		text += "\n" + n.Description
	}
	quoted := "\n\n> " + strings.ReplaceAll(text, "\n", "\n> ") + "\n\n"
	return chunk(v1.AgentMessage, &v1.TextBlock{Text: boundedText(quoted)}, messageID)
}
