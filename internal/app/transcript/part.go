package transcript

import (
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A Part is one event in a session. Exactly one member is set besides Time.
type Part struct {
	Time     time.Time // of the latest record that has a time
	Prompt   v1.Blocks
	Update   v1.Update
	Question *Question
	Decision *Decision
	By       *consent.Decision // who decided
	End      *End
}

// A Question is a question that the agent asked.
type Question struct {
	Text     string
	Answer   string // may be empty even if the question was answered
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
	Stop    v1.StopReason // "" if the turn failed or was interrupted
	Failure string
}
