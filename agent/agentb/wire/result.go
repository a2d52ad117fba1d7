package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// toolResult is what a tool has returned. Its metadata is looked at for a
// sub-agent's run only: the rest is for debugging, and its URLs may hold keys.
type toolResult struct {
	Success  *bool           `json:"success"`
	Data     json.RawMessage `json:"data"`
	Error    json.RawMessage `json:"error"`
	Metadata json.RawMessage `json:"metadata"`
}

// ok reports whether the tool succeeded; a result that does not say so did where
// it has no error.
func (r *toolResult) ok() bool {
	if r.Success != nil {
		return *r.Success
	}
	return r.failure() == ""
}

// failure is the error as text. A result may have one and be a success.
func (r *toolResult) failure() string {
	if len(r.Error) == 0 || string(r.Error) == "null" {
		return ""
	}
	if s := text(r.Error); s != "" || r.Error[0] == '"' {
		return s
	}
	return compact(r.Error)
}

// body is the data as text, still escaped: a text as it is, anything else as
// JSON, as the model sees it.
func (r *toolResult) body() rawjson.String {
	if body, err := rawjson.Parse(r.Data); err == nil {
		return body.Clean()
	}
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return nil
	}
	return rawjson.Quote(compact(r.Data))
}

// structured is data that has parts.
func (r *toolResult) structured() agent.Raw {
	if len(r.Data) > 0 && (r.Data[0] == '{' || r.Data[0] == '[') {
		return r.Data
	}
	return nil
}

func compact(raw json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, raw) != nil {
		return ""
	}
	return out.String()
}

// resultData is how a call ended.
type resultData struct {
	ID     string     `json:"toolCallId"`
	Name   string     `json:"toolName"`
	Result toolResult `json:"result"`
}

// end is that as an event about the call id.
func (r *resultData) end(id string) *agent.ToolEnd {
	return &agent.ToolEnd{
		ToolCallID: id,
		ToolName:   r.Name,
		OK:         r.Result.ok(),
		Result:     r.Result.body(),
		Structured: r.Result.structured(),
		Error:      r.Result.failure(),
	}
}

// toolEnds decodes agent.tool.execution.completed.
func (s *State) toolEnds(l *dialect.Line) {
	var data resultData
	if !l.Read(&data) {
		return
	}
	if data.ID == "" && data.Name == "" {
		l.Fault(errNoCall)
		return
	}
	s.required = nil // the agent runs the tools itself
	if data.ID != "" && !s.ends(data.ID) {
		return
	}
	if known := s.calls[data.ID]; data.Name == "" && known != nil {
		data.Name = known.name
	}
	if data.Name == delegate {
		s.subAgentResult(data.ID, data.Result, l)
		return
	}
	l.Emit(data.end(data.ID))
}

// ends notes the end of a call. It is false where that was told before.
func (s *State) ends(id string) bool {
	known := s.calls.of(id)
	if known.open == 0 && known.ended > 0 {
		return false
	}
	known.open = max(known.open-1, 0)
	known.ended++
	known.announced = false
	return true
}

// failedPrefix begins the message in which the agent tells the model that a
// tool failed.
const failedPrefix = "Error: "

// toolMessage ends a call by the message that gives its result to the model.
// That repeats what was shown, but for a call whose output came from outside.
func (s *State) toolMessage(m message, l *dialect.Line) {
	id := m.Metadata.ToolCallID
	if id == "" || !s.ends(id) {
		return
	}
	known := s.calls[id]
	name := known.name
	if name == "" && m.Metadata.Name != id { // the framework uses the id for want of a name
		name = m.Metadata.Name
	}
	failure, failed := strings.CutPrefix(m.Content.text, failedPrefix)
	if name == delegate {
		event := &agent.SubagentEnd{ID: id, Name: known.helper, OK: !failed, Result: m.Content.text}
		if failed {
			event.Result, event.Error = "", failure
		}
		l.Emit(event)
		return
	}
	event := &agent.ToolEnd{ToolCallID: id, ToolName: name, OK: !failed, Content: m.Content.images}
	if failed {
		event.Error = failure
	} else {
		event.Result = rawjson.Quote(m.Content.text)
	}
	l.Emit(event)
}
