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

// A Call is a call as the model made it.
type Call struct {
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string that should hold JSON
	} `json:"function"`
}

type callData struct {
	Call Call `json:"toolCall"`
}

// argumentText is what the model wrote as arguments.
func (c *Call) argumentText() string {
	if a := c.Function.Arguments; len(a) > 0 && a[0] != '"' && string(a) != "null" {
		return string(a)
	}
	return text(c.Function.Arguments)
}

// args are the arguments as a JSON value. Models write some that are none;
// those are shown as the text that they are.
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

// maxCalls bounds the calls that are remembered.
const maxCalls = 1 << 10

// call is what is known of the calls of one id: models use ids twice.
type call struct {
	name      string
	helper    string // the specialist that the call starts, if it does
	announced bool   // the user was told that it will come
	open      int    // how many run
	ended     int    // how many have ended in this round
}

type calls map[string]*call

// of returns what is known of an id, and makes it where nothing is.
func (cs calls) of(id string) *call {
	c := cs[id]
	if c == nil {
		if len(cs) >= maxCalls {
			clear(cs) // only repetitions are not recognised any more
		}
		c = &call{}
		cs[id] = c
	}
	return c
}

// forgetEnded makes the ids of calls that have ended mean new ones: the model
// speaks again, and all repetitions of its last calls are over.
func (cs calls) forgetEnded() {
	for id, c := range cs {
		if c.ended = 0; c.open == 0 && !c.announced {
			delete(cs, id)
		}
	}
}

var errNoCall = errors.New("the tool call has no id")

// call decodes the two events in which the model's call is whole. They say the
// same, right after one another; of two calls with one id each has both.
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

// start yields the beginning of a call.
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

// announce yields a call that is only listed, if it is the first that is heard
// of it.
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

// callPieces takes the calls in a delta. The framework puts whole calls there,
// behind the events that begin them; the document lets expect parts of calls
// that nothing has begun.
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
		if piece := c.argumentText(); piece != "" && !l.Emit(&agent.ToolArgsDelta{ToolCallID: c.ID, Delta: rawjson.Quote(piece)}) {
			return
		}
	}
}

// toolStarts decodes agent.tool.execution.started, which comes when the tool
// has run: it begins only what nothing else has begun.
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
