package v1

// SubagentUpdate is `SubagentUpdate`, for clients with the capability subagents. It
// announces a sub-agent of the session. The sub-agent is a separate session that the
// client can only watch. SubagentUpdate and its parts are unstable.
type SubagentUpdate struct {
	SessionID    string         `json:"sessionId"`
	Title        string         `json:"title,omitempty" jsonschema:"nullable"`
	Capabilities *Marker        `json:"capabilities,omitempty" jsonschema:"nullable"`
	State        *SubagentState `json:"state,omitempty" jsonschema:"nullable"`
	Meta         Meta           `json:"_meta,omitempty" jsonschema:"nullable"`
}

// SubagentState is `StateUpdate`, the current state of a sub-agent.
type SubagentState struct {
	State      SubagentWork   `json:"state"`
	StopReason SubagentStop   `json:"stopReason,omitempty" jsonschema:"nullable"` // set if the sub-agent is idle and the reason is known
	Error      *SubagentError `json:"error,omitempty" jsonschema:"nullable"`      // set if StopReason is SubagentFailed
}

// SubagentStop is the reason why a sub-agent stopped.
type SubagentStop string

// The reasons why a sub-agent stopped. They differ from the values of [StopReason].
const (
	SubagentDone      = SubagentStop(StopEndTurn)
	SubagentCancelled = SubagentStop(StopCancelled)
	SubagentFailed    = SubagentStop("error")
)

// SubagentError is an `Error`.
type SubagentError struct {
	Code    int64  `json:"code"`
	Message string `json:"message"`
}

// SubagentWork is the kind of a [SubagentState].
type SubagentWork string

// The states of a sub-agent.
const (
	SubagentRuns    SubagentWork = "running"
	SubagentIdle    SubagentWork = "idle"
	SubagentWaits   SubagentWork = "requires_action"
	SubagentUnknown SubagentWork = "unknown"
)

// SessionMessage is `SessionMessage`, for clients with the capability subagents. It is
// a message from one session to another. It is unstable.
type SessionMessage struct {
	MessageID string `json:"messageId"`
	Sender    string `json:"senderSessionId,omitempty" jsonschema:"nullable"`
	Recipient string `json:"recipientSessionId,omitempty" jsonschema:"nullable"`
	Content   Blocks `json:"content,omitempty" jsonschema:"nullable"`
	Meta      Meta   `json:"_meta,omitempty" jsonschema:"nullable"`
}

// UpdateType implements [Update].
func (*SubagentUpdate) UpdateType() string { return "subagent_update" }

// UpdateType implements [Update].
func (*SessionMessage) UpdateType() string { return "session_message" }

// AppendJSON implements [Update].
func (s *SubagentUpdate) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "subagent_update", s)
}

// AppendJSON implements [Update].
func (m *SessionMessage) AppendJSON(dst []byte) []byte {
	return appendTagged(dst, "sessionUpdate", "session_message", m)
}
