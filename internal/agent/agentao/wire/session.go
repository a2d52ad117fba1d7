package wire

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// failure decodes an error that the runtime has caught. It does not end the
// turn; turn_end does.
func failure(l *dialect.Line) agent.Event {
	text := strings.TrimPrefix(l.String("message")+": "+l.String("detail"), ": ")
	goesOn := false
	return &agent.Error{Error: hide(first(strings.TrimSuffix(text, ": "), "an error without a message")), Fatal: &goesOn}
}

// askRequested decodes a question. It is ignored if the host asks the
// question itself.
func (s *state) askRequested(l *dialect.Line) {
	q := s.decodeQuestion(l, "")
	if s.hosted || !l.OK() {
		return
	}
	s.question = s.next("question")
	q.QuestionID = s.question
	l.Emit(q)
}

func (s *state) askAnswered(l *dialect.Line) {
	answer := l.String("answer")
	if s.hosted || !l.OK() {
		return
	}
	l.Emit(&agent.QuestionAnswered{QuestionID: s.question, Answer: answer})
	s.question = ""
}

// background decodes a report to the model from helper agents in the
// background.
func background(l *dialect.Line) agent.Event {
	return &agent.Notice{Severity: "info", Message: "A background agent reported.", Description: short(l.String("content"), maxNotice)}
}

// compressed reports that Agentao has shortened its context.
func (s *state) compressed(l *dialect.Line) {
	summary := fmt.Sprintf("%d messages became %d", l.Int("pre_msgs"), l.Int("post_msgs"))
	if from, to := l.Int("pre_est_tokens"), l.Int("post_est_tokens"); from > 0 && to > 0 {
		summary += fmt.Sprintf(", about %d tokens %d", from, to)
	}
	if how := strings.Join(strings.Fields(l.String("type")+" "+l.String("reason")), ", "); how != "" {
		summary += " (" + how + ")"
	}
	l.Emit(&agent.ContextCompacted{CompactionID: s.next("compaction"), Status: "completed", Summary: summary})
}

func modelChanged(_ *state, l *dialect.Line) {
	if model := l.Key("new_model"); model != "" {
		l.Emit(&agent.ModelChanged{ModelID: model})
	}
}

func modeChanged(_ *state, l *dialect.Line) {
	if mode := l.Key("current"); mode != "" {
		l.Emit(&agent.ModeChanged{ModeID: mode})
	}
}

func readonlyChanged(l *dialect.Line) agent.Event {
	if l.Bool("current") {
		return &agent.Notice{Severity: "info", Message: "Agentao is now read-only: it runs only tools that change nothing."}
	}
	return &agent.Notice{Severity: "info", Message: "Agentao is no longer read-only."}
}

func warn(l *dialect.Line, message string) {
	l.Emit(&agent.Notice{Severity: "warning", Message: message})
}
