package wire

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxRequired bounds the outputs that a run can wait for.
const maxRequired = 128

// require decodes thread.run.requires_action. What it means is not known yet:
// the agent mostly runs the tools itself.
func (s *State) require(l *dialect.Line) {
	var data struct {
		Action struct {
			Submit struct {
				Calls []json.RawMessage `json:"tool_calls"`
			} `json:"submit_tool_outputs"`
		} `json:"required_action"`
	}
	if !l.Read(&data) {
		return
	}
	s.required, s.unasked = nil, false
	seen := make(map[string]bool)
	for _, raw := range data.Action.Submit.Calls {
		var c Call
		_ = exactjson.Unmarshal(raw, &c) // what can be read of it
		if seen[c.ID] {
			continue // an output is given for an id
		}
		if c.ID == "" || len(seen) >= maxRequired {
			s.unasked = true
			continue
		}
		seen[c.ID] = true
		s.required = append(s.required, c)
		if !s.announce(c, l) {
			return
		}
	}
	if s.unasked {
		l.Fault(errNoCall)
	}
}

// pause is what requires_action as a status means: the agent has made as many
// rounds as it may, and waits for the outputs of the last calls.
func (s *State) pause(l *dialect.Line) {
	if s.over {
		return
	}
	// A run goes on with all outputs or not at all.
	if s.asks && len(s.required) > 0 && !s.unasked {
		s.paused = s.required
		for _, c := range s.paused {
			if !l.Emit(question(c)) {
				return
			}
		}
		return
	}
	for _, event := range Unpaused(s.required, "The run has paused: it waits for the outputs of tools, which cannot be given here.") {
		if _, ends := event.(*agent.Done); ends {
			s.end(event, l)
		} else if !l.Emit(event) {
			return
		}
	}
}

// Unpaused ends a turn whose run will stay paused: the calls will not run, and
// the user is told why.
func Unpaused(calls []Call, why string) []agent.Event {
	var events []agent.Event
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		events = append(events, &agent.ToolEnd{
			ToolCallID: c.ID,
			ToolName:   c.Function.Name,
			Cancelled:  true,
			Error:      "not run: the agent waits for its output from outside",
		})
		lines = append(lines, "- "+c.written())
	}
	return append(events,
		&agent.Notice{
			Severity:    "warning",
			Message:     why,
			Description: strings.Join(lines, "\n"),
		},
		&agent.Done{StopReason: agent.StopMaxTurnRequests},
	)
}

// question asks the user for the output of a call. Its id is the call's, to
// which the agent wants the output.
func question(c Call) *agent.QuestionAsked {
	return &agent.QuestionAsked{
		QuestionID: c.ID,
		Header:     "Tool output",
		Question:   "The agent has paused. What is the output of " + c.written() + "?",
		ToolCallID: c.ID,
	}
}

// maxWritten is how much of a call's arguments is shown in a sentence.
const maxWritten = 400

// written is the call as a user would write it.
func (c *Call) written() string {
	args := strings.TrimSpace(c.argumentText())
	if len(args) > maxWritten {
		cut := maxWritten
		for !utf8.RuneStart(args[cut]) {
			cut--
		}
		args = args[:cut] + "…"
	}
	return c.Function.Name + "(" + strings.ReplaceAll(args, "\n", " ") + ")"
}
