package wire

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxRequired limits the outputs that a run can wait for.
const maxRequired = 128

// require decodes thread.run.requires_action. Only later events show whether it
// is a pause; usually the agent runs the tools itself.
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
	s.required, s.incomplete = nil, false
	seen := make(map[string]bool)
	for _, raw := range data.Action.Submit.Calls {
		var c Call
		_ = exactjson.Unmarshal(raw, &c) // use the readable part
		if seen[c.ID] {
			continue // one output for each id is enough
		}
		if c.ID == "" || len(seen) >= maxRequired {
			s.incomplete = true
			continue
		}
		seen[c.ID] = true
		s.required = append(s.required, c)
		if !s.announce(c, l) {
			return
		}
	}
	if s.incomplete {
		l.Fault(errNoCall)
	}
}

// pause handles the status requires_action: the agent has used all of its rounds,
// and waits for the outputs of the last calls.
func (s *State) pause(l *dialect.Line) {
	if s.done {
		return
	}
	// A run needs all of its outputs to continue.
	if s.givesOutputs && len(s.required) > 0 && !s.incomplete {
		s.paused = s.required
		for _, c := range s.paused {
			if !l.Emit(askForOutput(c)) {
				return
			}
		}
		return
	}
	for _, event := range Unpaused(s.required, "The run is paused: it waits for tool outputs, which cannot be provided here.") {
		if _, ends := event.(*agent.Done); ends {
			s.end(event, l)
		} else if !l.Emit(event) {
			return
		}
	}
}

// Unpaused returns the events that end a turn whose run stays paused. They say
// that the calls will not run, and tell the user why.
func Unpaused(calls []Call, why string) []agent.Event {
	var events []agent.Event
	lines := make([]string, 0, len(calls))
	for _, c := range calls {
		events = append(events, &agent.ToolEnd{
			ToolCallID: c.ID,
			ToolName:   c.Function.Name,
			Cancelled:  true,
			Error:      "not run: the agent waits for external output",
		})
		lines = append(lines, "- "+c.describe())
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

// askForOutput returns a question for the output of a call. The question's id is
// the call's id, for which the agent expects the output.
func askForOutput(c Call) *agent.QuestionAsked {
	return &agent.QuestionAsked{
		QuestionID: c.ID,
		Header:     "Tool output",
		Question:   "The agent is paused. What is the output of " + c.describe() + "?",
		ToolCallID: c.ID,
	}
}

// maxDescribed limits how much of a call's arguments is quoted in a sentence, in
// bytes.
const maxDescribed = 400

// describe formats the call for the user.
func (c *Call) describe() string {
	args := strings.TrimSpace(c.argumentText())
	if len(args) > maxDescribed {
		cut := maxDescribed
		for !utf8.RuneStart(args[cut]) {
			cut--
		}
		args = args[:cut] + "…"
	}
	return c.Function.Name + "(" + strings.ReplaceAll(args, "\n", " ") + ")"
}
