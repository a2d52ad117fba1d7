package acpmap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// Permission returns a permission request for a tool call. It repeats the call's whole
// state, for clients that only show the request. At least one option refuses. If the
// agent offers no options itself, the request has at most one option of each kind.
func Permission(s normalize.Step, e *agent.ConfirmationRequested, sessionID string) v1.RequestPermissionRequest {
	fields := whole(s.Tool, Client{})
	// A title is one line of limited length, but the user must see the whole command.
	if c := toolview.Command(s.Tool.Args); c != "" && !strings.Contains(fields.Title, c) {
		fields.Content = append(fields.Content, v1.TextItem(v1.NewText(fenced(visible.Text(c)))))
	}
	if e.Reason != "" {
		fields.Content = append(fields.Content, v1.TextItem(boundedText(e.Reason)))
	}
	req := v1.RequestPermissionRequest{
		SessionID: sessionID,
		ToolCall:  v1.ToolCallUpdate{ToolCallFields: fields},
		Options:   options(e),
	}
	if e.Partial {
		req.Meta = v1.Meta{v1.PartialMeta: true}
	}
	return req
}

// fenced returns text as a Markdown code block, whatever it contains.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.Trim(text, "\n") + "\n" + fence
}

func options(e *agent.ConfirmationRequested) []v1.PermissionOption {
	out := ownOptions(e.Options)
	if len(out) == 0 {
		out = usualOptions(e.Decisions)
	}
	if !slices.ContainsFunc(out, func(o v1.PermissionOption) bool { return !agent.Decision(o.Kind).Allows() }) {
		refusal := option(agent.RejectOnce)
		for slices.ContainsFunc(out, func(o v1.PermissionOption) bool { return o.OptionID == refusal.OptionID }) {
			refusal.OptionID += "."
		}
		out = append(out, refusal)
	}
	return out
}

// ownOptions returns the agent's own options, in its order.
func ownOptions(offered []agent.ConfirmationOption) []v1.PermissionOption {
	out := make([]v1.PermissionOption, 0, len(offered)+1)
	for _, o := range offered {
		shown := option(o.Kind)
		shown.OptionID = o.ID
		if name := label(o.Name); strings.TrimSpace(name) != "" {
			shown.Name = name
		}
		out = append(out, shown)
	}
	return out
}

// usualOptions returns an option for each offered decision.
func usualOptions(offered []agent.Decision) []v1.PermissionOption {
	if len(offered) == 0 {
		offered = []agent.Decision{agent.AllowOnce, agent.RejectOnce}
	}
	var out []v1.PermissionOption
	for _, d := range []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce, agent.RejectAlways} {
		if slices.Contains(offered, d) {
			out = append(out, option(d))
		}
	}
	return out
}

// option returns the option for a decision, which is both its id and its kind.
func option(d agent.Decision) v1.PermissionOption {
	return v1.PermissionOption{OptionID: string(d), Name: optionName(d), Kind: v1.PermissionOptionKind(d)}
}

func optionName(d agent.Decision) string {
	switch d {
	case agent.AllowOnce:
		return "Allow"
	case agent.AllowAlways:
		return "Always allow"
	case agent.RejectAlways:
		return "Always reject"
	}
	return "Reject"
}

// choiceKinds are the kinds of the options for choices. Each is used once, because
// clients distinguish options by kind. Clients hide none of these kinds.
var choiceKinds = []v1.PermissionOptionKind{v1.AllowOnce, v1.RejectOnce, v1.AllowAlways}

// Choices returns a question as a permission request. The request is about the call
// that asks the question. If asker is nil, it is about a separate call; see
// [QuestionCall]. ok is false if the question has no choices or too many, or if several
// may be chosen.
func Choices(e *agent.QuestionAsked, asker *normalize.Tool, sessionID string) (req v1.RequestPermissionRequest, ok bool) {
	if len(e.Options) == 0 || len(e.Options) > len(choiceKinds) || e.Multiple {
		return req, false
	}
	req.SessionID = sessionID
	if asker == nil {
		req.ToolCall.ToolCallFields = questionCall(e)
	} else {
		req.ToolCall.ToolCallFields = whole(asker, Client{})
		if question := label(questionText(e)); !strings.Contains(req.ToolCall.Title, question) {
			req.ToolCall.Title = question
		}
	}
	for i, choice := range e.Options {
		req.Options = append(req.Options, v1.PermissionOption{OptionID: choiceID(i), Name: visible.Text(choice), Kind: choiceKinds[i]})
	}
	return req, true
}

func choiceID(i int) string { return fmt.Sprintf("choice-%d", i+1) }

// Chosen returns the choice for an option id. ok is false if the id is unknown.
func Chosen(id string, e *agent.QuestionAsked) (choice string, ok bool) {
	for i, choice := range e.Options {
		if id == choiceID(i) {
			return choice, true
		}
	}
	return "", false
}

// questionText returns the text of a question, which clients require.
func questionText(e *agent.QuestionAsked) string {
	for _, text := range []string{e.Question, e.Header} {
		if strings.TrimSpace(text) != "" {
			return normalize.Short(text)
		}
	}
	return "The agent asks for an answer."
}

// questionCall returns the tool call that represents a question, because a permission
// request must have a call.
func questionCall(e *agent.QuestionAsked) v1.ToolCallFields {
	question := questionText(e)
	return v1.ToolCallFields{
		ToolCallID: e.ToolCallID,
		Title:      label(question),
		Kind:       v1.KindThink,
		Status:     v1.StatusPending,
		RawInput:   v1.AppendValue(nil, map[string]any{"question": question, "options": e.Options}),
	}
}

// QuestionCall announces the tool call that represents a question.
func QuestionCall(e *agent.QuestionAsked) v1.Update {
	return &v1.ToolCall{ToolCallFields: questionCall(e)}
}

// QuestionEnd ends that call, with the answer if it is known.
func QuestionEnd(e *agent.QuestionAsked, answer string, answered bool) v1.Update {
	f := v1.ToolCallFields{ToolCallID: e.ToolCallID, Status: v1.StatusFailed}
	if answered {
		f.Status = v1.StatusCompleted
	}
	if answer != "" { // unknown if it was answered elsewhere
		f.Content = v1.ToolContents{v1.TextItem(v1.NewText(answer))}
	}
	return &v1.ToolCallUpdate{ToolCallFields: f}
}

// QuestionMessage returns a question as a message, for clients without a better way to
// ask. The next prompt is the answer.
func QuestionMessage(e *agent.QuestionAsked, messageID string) v1.Update {
	var b strings.Builder
	b.WriteString("\n\n**" + questionText(e) + "**\n\n")
	for i, choice := range e.Options {
		fmt.Fprintf(&b, "%d. %s\n", i+1, choice)
	}
	switch {
	case e.Multiple:
		b.WriteString("\nAnswer with your next message: the numbers or names, with commas between them.\n")
	case len(e.Options) > 0:
		b.WriteString("\nAnswer with your next message: a number or a name.\n")
	default:
		b.WriteString("\nAnswer with your next message.\n")
	}
	return &v1.MessageChunk{Kind: v1.AgentMessage, Content: &v1.TextBlock{Text: v1.NewText(b.String())}, MessageID: messageID}
}
