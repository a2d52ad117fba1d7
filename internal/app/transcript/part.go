package transcript

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A Part is one thing that happened in a session. One member is set, beside Time.
type Part struct {
	Time     time.Time // of the last record that has one
	Prompt   v1.Blocks
	Update   v1.Update
	Question *Question
	Decision *Decision
	By       *consent.Decision // who has decided
	End      *End
}

// A Question is what the agent has asked.
type Question struct {
	Text     string
	Answer   string // may be empty, also if the question was answered
	Answered bool
}

// A Decision says whether a call may run.
type Decision struct {
	ToolCallID string
	Decision   agent.Decision
	Reason     string // why nobody was asked
}

// An End is the end of a turn.
type End struct {
	Stop    v1.StopReason // "" if the turn failed, or was cut off
	Failure string
}
