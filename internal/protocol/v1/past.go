package v1

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// PastQuestion returns an update that shows a form and its answer, the params and the
// result of elicitation/create, under [QuestionMeta]. It updates the tool call that
// asked. Without one, it is a new call with the id own. It returns nil unless params
// are a form and result answers it.
func PastQuestion(params, result []byte, own string) Update {
	var asked struct {
		Mode       string `json:"mode"`
		Message    string `json:"message"`
		ToolCallID string `json:"toolCallId"`
	}
	var answer ElicitationResponse
	if exactjson.Unmarshal(params, &asked) != nil || exactjson.Unmarshal(result, &answer) != nil ||
		asked.Mode == ElicitURL || answer.Action == "" {
		return nil
	}
	past := map[string]any{"form": json.RawMessage(params), "answer": json.RawMessage(result)}
	fields := ToolCallFields{ToolCallID: asked.ToolCallID, Meta: Meta{QuestionMeta: past}}
	if asked.ToolCallID != "" {
		return &ToolCallUpdate{ToolCallFields: fields}
	}
	past["own"] = true
	fields.ToolCallID, fields.Title, fields.Kind, fields.Status = own, asked.Message, KindThink, StatusFailed
	if answer.Action == ElicitAccept {
		fields.Status = StatusCompleted
	}
	if text := answer.text(result); text != "" { // for clients that have no forms
		fields.Content = ToolContents{TextItem(NewText(text))}
	}
	return &ToolCall{ToolCallFields: fields}
}

// text returns the values of an answer in their order, a line each.
func (r ElicitationResponse) text(result []byte) string {
	var ordered struct {
		Content json.RawMessage `json:"content"`
	}
	if len(r.Content) == 0 || exactjson.Unmarshal(result, &ordered) != nil {
		return ""
	}
	var lines []string
	o := rawjson.Walk(ordered.Content)
	for key, value, ok := o.Next(); ok; key, value, ok = o.Next() {
		text := string(value)
		if s, err := rawjson.Parse(value); err == nil {
			text = s.String()
		}
		lines = append(lines, rawjson.String(key).String()+": "+text)
	}
	return strings.Join(lines, "\n")
}
