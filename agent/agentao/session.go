package agentao

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// failure is an error that the runtime has caught. It does not end the turn:
// turn_end does.
func (d *decoder) failure(_ string, data []byte) error {
	var e struct {
		Message string `json:"message"`
		Detail  string `json:"detail"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	text := strings.TrimPrefix(e.Message+": "+e.Detail, ": ")
	goesOn := false
	d.emit(&agent.Error{Error: hide(first(strings.TrimSuffix(text, ": "), "an error without a message")), Fatal: &goesOn})
	return nil
}

// askRequested records a question. The host asks by itself.
func (d *decoder) askRequested(_ string, data []byte) error {
	var e questionLine
	if err := read(data, &e); err != nil {
		return err
	}
	if d.hosted {
		return nil
	}
	d.question = d.next("question")
	e.ID = d.question
	d.ask(e)
	return nil
}

func (d *decoder) askAnswered(_ string, data []byte) error {
	var e struct {
		Answer string `json:"answer"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	if d.hosted {
		return nil
	}
	d.emit(&agent.QuestionAnswered{QuestionID: d.question, Answer: e.Answer})
	d.question = ""
	return nil
}

// background is what the helper agents in the background have told the model.
func (d *decoder) background(_ string, data []byte) error {
	var e struct {
		Content string `json:"content"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.emit(&agent.Notice{Severity: "info", Message: "A background agent has reported.", Description: short(e.Content, maxNotice)})
	return nil
}

// compressed tells that Agentao has shortened what it remembers.
func (d *decoder) compressed(_ string, data []byte) error {
	var e struct {
		Type   string `json:"type"`
		Reason string `json:"reason"`
		Before int64  `json:"pre_msgs"`
		After  int64  `json:"post_msgs"`
		From   int64  `json:"pre_est_tokens"`
		To     int64  `json:"post_est_tokens"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	summary := fmt.Sprintf("%d messages became %d", e.Before, e.After)
	if e.From > 0 && e.To > 0 {
		summary += fmt.Sprintf(", about %d tokens %d", e.From, e.To)
	}
	if how := strings.Join(strings.Fields(e.Type+" "+e.Reason), ", "); how != "" {
		summary += " (" + how + ")"
	}
	d.emit(&agent.ContextCompacted{CompactionID: d.next("compaction"), Status: "completed", Summary: summary})
	return nil
}

func (d *decoder) modelChanged(_ string, data []byte) error {
	var e struct {
		Model string `json:"new_model"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	if e.Model != "" {
		d.emit(&agent.ModelChanged{ModelID: e.Model})
	}
	return nil
}

func (d *decoder) modeChanged(_ string, data []byte) error {
	var e struct {
		Mode string `json:"current"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	if e.Mode != "" {
		d.emit(&agent.ModeChanged{ModeID: e.Mode})
	}
	return nil
}

func (d *decoder) readonlyChanged(_ string, data []byte) error {
	var e struct {
		On bool `json:"current"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	n := &agent.Notice{Severity: "info", Message: "Agentao may change things again: it is no longer read-only."}
	if e.On {
		n.Message = "Agentao is read-only now: it runs only tools that change nothing."
	}
	d.emit(n)
	return nil
}
