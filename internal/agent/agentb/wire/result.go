package wire

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// toolResult is the result of a tool. Of its metadata, only the run of a
// sub-agent is used: the rest is for debugging, and its URLs may contain keys.
type toolResult struct {
	Success  *bool           `json:"success"`
	Data     json.RawMessage `json:"data"`
	Error    json.RawMessage `json:"error"`
	Metadata json.RawMessage `json:"metadata"`
}

// ok reports whether the tool succeeded. Without an explicit value, a result
// without an error is a success.
func (r *toolResult) ok() bool {
	if r.Success != nil {
		return *r.Success
	}
	return r.failure() == ""
}

// failure returns the error as text. A successful result may have one too.
func (r *toolResult) failure() string {
	if len(r.Error) == 0 || string(r.Error) == "null" {
		return ""
	}
	if s := text(r.Error); s != "" || r.Error[0] == '"' {
		return s
	}
	return compact(r.Error)
}

// body returns the data as escaped text: a string as it is, anything else as
// JSON, which is how the model sees it.
func (r *toolResult) body() rawjson.String {
	if body, err := rawjson.Parse(r.Data); err == nil {
		return body.Clean()
	}
	if len(r.Data) == 0 || string(r.Data) == "null" {
		return nil
	}
	return rawjson.Quote(compact(r.Data))
}

// structured returns the data if it is an object or a list.
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

// resultData is the end of a call.
type resultData struct {
	ID     string     `json:"toolCallId"`
	Name   string     `json:"toolName"`
	Result toolResult `json:"result"`
}

// end returns the end of the call id as an event.
func (r *resultData) end(id string) *agent.ToolEnd {
	return &agent.ToolEnd{
		ToolCallID: id,
		ToolName:   r.Name,
		OK:         r.Result.ok(),
		Result:     rawjson.Wrap(r.Result.body()),
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

// ends records the end of a call. It returns false if the end was recorded
// before.
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

// toolMessage decodes the message that returns a call's result to the model. It
// is a repetition, unless the output came from outside.
func (s *State) toolMessage(m message, l *dialect.Line) {
	id := m.Metadata.ToolCallID
	if id == "" || !s.ends(id) {
		return
	}
	known := s.calls[id]
	name := known.name
	if name == "" && m.Metadata.Name != id { // the framework uses the id if there is no name
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
		event.Result = agent.NewText(m.Content.text)
	}
	l.Emit(event)
}
