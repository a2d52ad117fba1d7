package v1

import (
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// PastQuestion returns an update that shows a form and its answer under [QuestionMeta].
// params and result are those of elicitation/create. The update is for the tool call
// that asked. If no call asked, the update is a new call with the id own. PastQuestion
// returns nil unless params contain a form and result answers it.
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
	if text := answer.text(result); text != "" { // for clients without forms
		fields.Content = ToolContents{TextItem(NewText(text))}
	}
	return &ToolCall{ToolCallFields: fields}
}

// text returns an answer's values in order, one per line.
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
