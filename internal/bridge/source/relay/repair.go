package relay

import (
	"context"
	"log/slog"
	"sync"
)

// A Repair names a way in which an agent breaks the protocol, and what the
// relay makes of it.
type Repair string

// The repairs. None is made between an editor and an agent that speak another
// version than 1, but for those of malformed messages.
const (
	// A line that is no message is dropped: agents log to their stdout.
	repairNoMessage Repair = "a line that is no message"
	// A line of more than 32 MiB is dropped; a request in it fails.
	repairTooLong Repair = "a line that is too long"
	// A response to no request, or a second one, is dropped.
	repairNoRequest Repair = "an answer to no request"
	// An error without a code is an internal error.
	repairError Repair = "a malformed error"
	// A second request with the id of one that is not answered is dropped.
	repairTwice Repair = "an id that is in use"
	// An update without a required member is dropped.
	repairIncomplete Repair = "an update without a required member"
	// A member of the wrong type is left out.
	repairType Repair = "a member of the wrong type"
	// A tool call without a title has the tool's name, or its own id.
	repairTitle Repair = "a tool call without a title"
	// An update of a call that was never announced announces it.
	repairUnannounced Repair = "an update of an unknown tool call"
	// A call that is open at the end of its turn has failed.
	repairUnended Repair = "a tool call without an end"
	// What belongs to a turn and comes after its answer is shown at the
	// beginning of the next turn, or dropped where the turn was cancelled.
	repairLate Repair = "an update after the answer"
	// An update of a session before the answer that names it comes after that.
	repairEarly Repair = "an update before the answer that names its session"
	// A cancelled prompt is answered as cancelled.
	repairNotCancelled Repair = "a cancelled prompt that is answered otherwise"
	// A prompt that is answered without a stop reason has ended.
	repairStopReason Repair = "an answer without a stop reason"
	// What the agent asks after a cancel is answered with "cancelled".
	repairAskedLate Repair = "a request for consent after a cancel"
	// The members of a tool call beside toolCall's place in a permission request
	// become its toolCall.
	repairNoToolCall Repair = "a permission request without a tool call"
	// An option without a name has its label, or its own id.
	repairOptionName Repair = "a permission option without a name"
	// What package quirks says of one known agent.
	repairQuirk Repair = "a quirk of the agent"
	// A permission request that offers nothing with a known meaning is refused.
	repairUnaskable Repair = "a permission request that offers nothing"
	// A prompt of a session that the agent lost goes to a new one.
	repairLost Repair = "a session that the agent lost"
	// A session whose id is another one's gets an id of its own.
	repairSameID Repair = "a session with the id of another one"
)

// repairs counts repairs, and logs the first of each kind where people see it.
type repairs struct {
	log *slog.Logger

	mu     sync.Mutex
	counts map[Repair]int
}

func (r *repairs) note(kind Repair, args ...any) {
	r.mu.Lock()
	r.counts[kind]++
	first := r.counts[kind] == 1
	r.mu.Unlock()
	level := slog.LevelDebug
	if first {
		level = slog.LevelWarn
	}
	r.log.Log(context.Background(), level, "repaired what the agent said", append([]any{"repair", string(kind)}, args...)...)
}

// summary logs how often what was repaired.
func (r *repairs) summary() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for kind, n := range r.counts {
		r.log.Info("repairs", "repair", string(kind), "count", n)
	}
}
