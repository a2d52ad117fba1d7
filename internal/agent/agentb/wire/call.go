package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// A Call is a tool call of the model.
type Call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string that should contain JSON
	} `json:"function"`
}

type callData struct {
	Call Call `json:"toolCall"`
}

// argumentText returns the arguments as the model wrote them.
func (c *Call) argumentText() string {
	if a := c.Function.Arguments; len(a) > 0 && a[0] != '"' && string(a) != "null" {
		return string(a)
	}
	return text(c.Function.Arguments)
}

// args returns the arguments as a JSON value. If the model wrote something that
// is not JSON, the value is that text as a string.
func (c *Call) args() agent.Raw {
	written := c.argumentText()
	if strings.TrimSpace(written) == "" {
		return nil
	}
	var out bytes.Buffer
	if json.Compact(&out, []byte(written)) != nil {
		return append(append(agent.Raw{'"'}, rawjson.Quote(written)...), '"')
	}
	return rawjson.CleanValue(out.Bytes())
}

// maxCalls limits the calls that are remembered.
const maxCalls = 1 << 10

// call is the state of the calls with one id, because models reuse ids.
type call struct {
	name      string
	helper    string // the specialist that the call starts, if any
	announced bool   // a tool_ready or tool_pending was emitted
	open      int    // how many are running
	ended     int    // how many have ended in this round
}

type calls map[string]*call

// of returns the state for an id. It adds an entry for a new id.
func (cs calls) of(id string) *call {
	c := cs[id]
	if c == nil {
		if len(cs) >= maxCalls {
			clear(cs) // as a consequence, some repetitions are not recognised
		}
		c = &call{}
		cs[id] = c
	}
	return c
}

// forgetEnded frees the ids of ended calls. It is called when the model sends
// output again, which means that all repetitions of its last calls have
// arrived.
func (cs calls) forgetEnded() {
	for id, c := range cs {
		if c.ended = 0; c.open == 0 && !c.announced {
			delete(cs, id)
		}
	}
}

var errNoCall = errors.New("the tool call has no id")

// call decodes the two events that contain a complete call. They have the same
// content and follow each other. If the model uses an id for two calls, each
// call has both events.
func (s *State) call(l *dialect.Line) {
	var data callData
	if !l.Read(&data) {
		return
	}
	c := data.Call
	if c.ID == "" {
		l.Fault(errNoCall)
		return
	}
	known := s.calls.of(c.ID)
	if l.Name == callCompleted && known.open+known.ended > 0 {
		return
	}
	s.start(c, known, l)
}

// start emits the start of a call.
func (s *State) start(c Call, known *call, l *dialect.Line) {
	if c.Function.Name == "" {
		c.Function.Name = known.name
	}
	known.name, known.announced = c.Function.Name, false
	known.open++
	args := c.args()
	if c.Function.Name == delegate {
		event := s.delegation(c.ID, args)
		known.helper = event.Name
		l.Emit(event)
		return
	}
	event := &agent.ToolStart{ToolCallID: c.ID, ToolName: c.Function.Name, Args: args}
	tools.Fill(&event.View, event.ToolName, args)
	l.Emit(event)
}

// announce emits a call that was only listed, unless something was emitted
// about it before.
func (s *State) announce(c Call, l *dialect.Line) bool {
	if c.ID == "" {
		return true
	}
	known := s.calls.of(c.ID)
	if known.open+known.ended > 0 || known.announced {
		return true
	}
	known.name, known.announced = c.Function.Name, true
	event := &agent.ToolReady{ToolCallID: c.ID, ToolName: c.Function.Name, Args: c.args()}
	tools.Fill(&event.View, event.ToolName, event.Args)
	return l.Emit(event)
}

// callPieces decodes the calls in a delta. The framework puts complete calls
// there, after the events that start them. Its documentation also allows parts
// of calls that no event has started.
func (s *State) callPieces(list []Call, l *dialect.Line) {
	for _, c := range list {
		if c.ID == "" {
			continue
		}
		known := s.calls.of(c.ID)
		if known.open+known.ended > 0 {
			continue
		}
		if !known.announced {
			known.name, known.announced = c.Function.Name, true
			event := &agent.ToolPending{ToolCallID: c.ID, ToolName: c.Function.Name}
			tools.Fill(&event.View, event.ToolName, nil)
			if !l.Emit(event) {
				return
			}
		}
		if piece := c.argumentText(); piece != "" && !l.Emit(&agent.ToolArgsDelta{ToolCallID: c.ID, Delta: agent.NewText(piece)}) {
			return
		}
	}
}

// toolStarts decodes agent.tool.execution.started, which arrives after the tool
// has run. It only starts calls that no other event has started.
func (s *State) toolStarts(l *dialect.Line) {
	var data struct {
		ID    string          `json:"toolCallId"`
		Name  string          `json:"toolName"`
		Input json.RawMessage `json:"input"`
	}
	if !l.Read(&data) {
		return
	}
	if data.ID == "" {
		l.Fault(errNoCall)
		return
	}
	s.required = nil // the agent runs the tools itself
	known := s.calls.of(data.ID)
	if known.open > 0 {
		return
	}
	c := Call{ID: data.ID}
	c.Function.Name = data.Name
	if string(data.Input) != "null" {
		c.Function.Arguments = data.Input
	}
	s.start(c, known, l)
}
