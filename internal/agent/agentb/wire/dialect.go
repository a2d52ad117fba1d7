package wire

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// Names of events that the code refers to.
const (
	messageCreated = "thread.message.created"
	statusChanged  = "agent.run.status.changed"
	callCreated    = "thread.run.step.tool_call.created"
	callCompleted  = "thread.run.step.tool_call.completed_by_llm"
	toolCompleted  = "agent.tool.execution.completed"
)

var table = dialect.Table[State]{
	Name: "agentb",
	Forms: []dialect.Form[State]{{Type: "type", Body: "data", Kinds: []dialect.Kind[State]{
		{Name: "agent.run.created", Decode: (*State).runCreated},
		{Name: "agent.run.step.created", Decode: (*State).step},
		{Name: statusChanged, Decode: (*State).statusChange},
		{Name: messageCreated, Decode: (*State).messageBegins},
		{Name: "thread.message.delta", Decode: (*State).delta},
		{Name: "thread.message.completed", Decode: (*State).messageEnds},
		{Name: callCreated, Decode: (*State).call},
		{Name: callCompleted, Decode: (*State).call},
		{Name: "agent.tool.execution.started", Decode: (*State).toolStarts},
		{Name: toolCompleted, Decode: (*State).toolEnds},
		{Name: "thread.run.requires_action", Decode: (*State).require},
		{Name: "thread.run.failed", Decode: (*State).fail},
		{Name: "thread.run.completed", Decode: (*State).complete},
		{Name: "agent.sub_agent.invocation.started", Decode: (*State).subAgentStarts}, // documented, but never seen
		{Name: "agent.sub_agent.invocation.completed", Decode: (*State).subAgentEnds},
	}}},
	New:    func() *State { return NewState(false, nil) },
	Before: (*State).enter,
}.Compile()

// Dialect is the AgentB dialect. A run that pauses for tool outputs ends the
// turn, because a stream can't submit them.
var Dialect = table.Dialect()

// NewDecoder returns a decoder with the given state.
func NewDecoder(s *State) dialect.Decoder { return table.Decoder(s) }

func (s *State) runCreated(l *dialect.Line) {
	s.begin()
	l.Emit(&agent.RunStart{TraceID: s.run}) // its messages repeat the prompt
}
