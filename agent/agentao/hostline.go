package agentao

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// What host.py prints beside Agentao's own events. It waits for an answer to
// each question, by its id.

// hostReady tells that Agentao runs. A host that was started because the one
// before is gone begins anew.
func (d *decoder) hostReady(name string, data []byte) error {
	if d.begun != nil && d.begun.Swap(true) {
		d.warn("Agentao was started anew: it does not know what was said before.")
	}
	return d.telemetry(name, data)
}

// hostConfirm asks whether a tool may run. It names no call: the next one of
// the tool with the same arguments is meant.
func (d *decoder) hostConfirm(_ string, data []byte) error {
	var e struct {
		ID          string    `json:"id"`
		Tool        string    `json:"tool"`
		Description string    `json:"description"`
		Args        agent.Raw `json:"args"`
	}
	if err := lenient(data, &e); err != nil {
		return err
	}
	if e.ID == "" {
		return errNoID
	}
	helper, tool := nested(e.Tool)
	args := value(e.Args)
	d.await(approval{id: e.ID, helper: helper, tool: tool, args: args})
	if parent := d.parent(helper); parent != "" {
		d.emit(&agent.ToolReady{ToolCallID: e.ID, ToolName: tool, Args: args, ParentToolCallID: parent, View: view(tool, args)})
	}
	d.emit(&agent.ConfirmationRequested{
		ConfirmationID: e.ID,
		ToolCallID:     e.ID,
		ToolName:       tool,
		Args:           args,
		Reason:         reason(args, e.Description),
		Decisions:      []agent.Decision{agent.AllowOnce, agent.AllowAlways, agent.RejectOnce},
		View:           view(tool, args),
	})
	return nil
}

// reason says why a tool is to run: what the model has put into the arguments
// for that, or else what the tool does, the first sentence of a description that
// is written for models and goes on with instructions.
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

// questionLine holds the members of a question (Transport.ask_user).
type questionLine struct {
	ID          string  `json:"id"`
	Question    string  `json:"question"`
	Header      string  `json:"header"`
	Options     options `json:"options"`
	Multiple    bool    `json:"multiple"`
	AllowCustom *bool   `json:"allow_custom"`
}

var errNoID = errors.New("it has no id, and so cannot be answered")

// lenient reads what the host waits for an answer to: members of another type
// than theirs are left out.
func lenient(data []byte, to any) error {
	err := read(data, to)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil
	}
	return err
}

// options are choices. What is no text, or says nothing, is none.
type options []string

// UnmarshalJSON takes anything.
func (o *options) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	_ = exactjson.Unmarshal(b, &list)
	for _, raw := range list {
		var s string
		if exactjson.Unmarshal(raw, &s) == nil && s != "" {
			*o = append(*o, s)
		}
	}
	return nil
}

func (d *decoder) hostAsk(_ string, data []byte) error {
	var e questionLine
	if err := lenient(data, &e); err != nil {
		return err
	}
	if e.ID == "" {
		return errNoID
	}
	d.ask(e)
	return nil
}

func (d *decoder) ask(e questionLine) {
	q := &agent.QuestionAsked{
		QuestionID:  e.ID,
		Question:    e.Question,
		Header:      e.Header,
		Options:     e.Options,
		Multiple:    e.Multiple,
		AllowCustom: e.AllowCustom == nil || *e.AllowCustom,
	}
	if c := d.calls.byTool("ask_user"); c != nil {
		q.ToolCallID = c.id
	}
	d.emit(q)
}

// hostMaxIterations asks whether to go on after as many rounds as a turn may
// have. What is neither of the options is a new instruction.
func (d *decoder) hostMaxIterations(_ string, data []byte) error {
	var e struct {
		ID      string  `json:"id"`
		Count   int64   `json:"count"`
		Options options `json:"options"`
	}
	if err := lenient(data, &e); err != nil {
		return err
	}
	if e.ID == "" {
		return errNoID
	}
	d.emit(&agent.QuestionAsked{
		QuestionID:  e.ID,
		Header:      "Go on?",
		Question:    fmt.Sprintf("Agentao has asked its model %d times in this turn. Shall it go on? An answer in other words is a new instruction.", e.Count),
		Options:     e.Options,
		AllowCustom: true,
	})
	return nil
}

// hostError ends a turn that Agentao could not begin, or has left without a
// turn_end.
func (d *decoder) hostError(_ string, data []byte) error {
	var e struct {
		Message string `json:"message"`
		Code    string `json:"code"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.forget()
	d.emit(&agent.Error{Error: hide(first(e.Message, "the host of Agentao has failed")), Code: e.Code})
	return nil
}

// hostDone does the same where nothing went wrong.
func (d *decoder) hostDone(_ string, data []byte) error {
	var e struct {
		Text   string `json:"text"`
		Status string `json:"status"`
	}
	if err := read(data, &e); err != nil {
		return err
	}
	d.letGo()
	rest, goesOn := d.said.unsaid(e.Text)
	if e.Status == "cancelled" {
		d.cancelled(rest, goesOn)
	} else {
		d.sayRest(rest, goesOn)
		d.emit(new(agent.Done))
	}
	d.forget()
	return nil
}
