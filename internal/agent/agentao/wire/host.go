package wire

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// Lines that the host prints in addition to Agentao's events. The host waits for
// an answer to each question, by its id. So members of the wrong kind are
// ignored, and the question is asked anyway.

var errNoID = errors.New("it has no ID, so it cannot be answered")

// hostReady reports that Agentao is running.
func (*state) hostReady(l *dialect.Line) { l.Emit(telemetry(l)) }

// idOf returns the id that an answer must name.
func idOf(l *dialect.Line) (id string, ok bool) {
	if id = l.OptionalKey("id"); id == "" {
		l.Fault(errNoID)
	}
	return id, id != ""
}

// hostConfirm asks whether a tool may run. It names no call: it is about the
// next call of the tool with the same arguments.
func (s *state) hostConfirm(l *dialect.Line) {
	id, ok := idOf(l)
	if !ok {
		return
	}
	helper, tool := labelOf(l.OptionalKey("tool"))
	args := l.Raw("args")
	s.await(approval{id: id, helper: helper, tool: tool, args: args})
	if parent := s.parent(helper); parent != "" {
		l.Emit(&agent.ToolReady{ToolCallID: id, ToolName: tool, Args: args, ParentToolCallID: parent, View: view(tool, args)})
	}
	l.Emit(&agent.ConfirmationRequested{
		ConfirmationID: id,
		ToolCallID:     id,
		ToolName:       tool,
		Args:           args,
		Reason:         reason(args, l.OptionalKey("description")),
		Decisions:      decisions(l),
		View:           view(tool, args),
	})
}

// decisions returns the possible decisions. Some calls must be allowed by a
// person each time.
func decisions(l *dialect.Line) []agent.Decision {
	if string(l.Raw("once")) == "true" {
		return []agent.Decision{agent.AllowOnce, agent.RejectOnce}
	}
	return []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce}
}

// reason explains why a tool should run: the model's explanation in the
// arguments, or else what the tool does. The tool's description is written for
// models and continues with instructions, so only its first sentence is used.
func reason(args agent.Raw, description string) string {
	var a struct {
		Description string `json:"description"`
	}
	if exactjson.Unmarshal(args, &a) == nil && strings.TrimSpace(a.Description) != "" {
		return short(strings.TrimSpace(a.Description), maxDetail)
	}
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	if sentence, _, more := strings.Cut(line, ". "); more {
		line = sentence + "."
	}
	return short(line, maxDetail)
}

// decodeQuestion decodes a question (Transport.ask_user).
func (s *state) decodeQuestion(l *dialect.Line, id string) *agent.QuestionAsked {
	q := &agent.QuestionAsked{
		QuestionID:  id,
		Question:    l.String("question"),
		Header:      l.String("header"),
		Options:     choices(l.Raw("options")),
		Multiple:    l.Bool("multiple"),
		AllowCustom: string(l.Raw("allow_custom")) != "false",
	}
	if c := s.calls.byTool("ask_user"); c != nil {
		q.ToolCallID = c.id
	}
	return q
}

func (s *state) hostAsk(l *dialect.Line) {
	if id, ok := idOf(l); ok {
		var q *agent.QuestionAsked
		l.Lenient(func() { q = s.decodeQuestion(l, id) })
		l.Emit(q)
	}
}

// hostMaxIterations asks whether to continue after the maximum number of rounds.
// Any other answer than the options is a new instruction.
func (s *state) hostMaxIterations(l *dialect.Line) {
	id, ok := idOf(l)
	if !ok {
		return
	}
	var count int64
	l.Lenient(func() { count = l.Int("count") })
	l.Emit(&agent.QuestionAsked{
		QuestionID:  id,
		Header:      "Continue?",
		Question:    fmt.Sprintf("Agentao has asked its model %d times in this turn. Continue? Any other answer is a new instruction.", count),
		Options:     choices(l.Raw("options")),
		AllowCustom: true,
	})
}

// hostError ends a turn that Agentao could not start, or left without a
// turn_end.
func (s *state) hostError(l *dialect.Line) {
	e := &agent.Error{Error: hide(first(l.String("message"), "Agentao's host failed")), Code: l.Key("code")}
	if l.OK() {
		s.forget(l)
		l.Emit(e)
	}
}

// hostDone ends such a turn without an error.
func (s *state) hostDone(l *dialect.Line) {
	text, status := l.String("text"), l.Key("status")
	if !l.OK() {
		return
	}
	s.endPending(l)
	rest, goesOn := s.answer.rest(text)
	if status == "cancelled" {
		cancelled(l, rest, goesOn)
	} else {
		sayRest(l, rest, goesOn)
		l.Emit(new(agent.Done))
	}
	s.forget(l)
}
