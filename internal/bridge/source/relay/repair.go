package relay

import (
	"context"
	"log/slog"
	"sync"
)

// A Repair names a protocol violation by agents that the relay repairs.
type Repair string

// The repairs. If the editor and the agent speak another version than 1, only malformed
// messages are repaired.
const (
	// A line that is not a message is dropped: agents log to stdout.
	repairNoMessage Repair = "a line that is not a message"
	// A line of more than 32 MiB is dropped. A request in it fails.
	repairTooLong Repair = "a line that is too long"
	// A response without a request, or a second response, is dropped.
	repairNoRequest Repair = "a response without a request"
	// An error without a code becomes an internal error.
	repairError Repair = "a malformed error"
	// A second request with the id of an unanswered one is dropped.
	repairTwice Repair = "an id that is in use"
	// An update without a required member is dropped.
	repairIncomplete Repair = "an update without a required member"
	// A member of the wrong type is dropped.
	repairType Repair = "a member of the wrong type"
	// A tool call without a title gets the tool's name or its own id.
	repairTitle Repair = "a tool call without a title"
	// An update of a call that was never announced announces it.
	repairUnannounced Repair = "an update of an unknown tool call"
	// A call that is still open at the end of its turn is marked as failed.
	repairUnended Repair = "a tool call without an end"
	// An update that belongs to a turn but follows its response is shown at the start
	// of the next turn. If the turn was cancelled, it is dropped.
	repairLate Repair = "an update after the answer"
	// An update that precedes the response that names its session is moved behind it.
	repairEarly Repair = "an update before the answer that names its session"
	// A cancelled prompt is answered as cancelled.
	repairNotCancelled Repair = "a cancelled prompt with another stop reason"
	// A prompt response without a stop reason gets "end_turn".
	repairStopReason Repair = "a response without a stop reason"
	// A request for consent after a cancel is answered with "cancelled".
	repairAskedLate Repair = "a permission request after a cancel"
	// The members of a tool call that are directly in a permission request's params are
	// moved into toolCall.
	repairNoToolCall Repair = "a permission request without a tool call"
	// An option without a name gets its label or its own id.
	repairOptionName Repair = "a permission option without a name"
	// A deviation of one known agent, described in package quirks.
	repairQuirk Repair = "a quirk of the agent"
	// A permission request without an option of known meaning is refused.
	repairUnaskable Repair = "a permission request without options"
	// A prompt for a session that the agent lost is sent to a new session.
	repairLost Repair = "a session that the agent lost"
	// A session is closed for an agent that doesn't have session/close.
	repairNoClose Repair = "an agent that cannot close sessions"
	// Deleting a session that the agent doesn't know succeeds, as ACP recommends; what is
	// saved of it is deleted.
	repairUndeleted Repair = "a session to delete that the agent doesn't know"
	// A session with the id of another gets a different id.
	repairSameID Repair = "a session with the id of another one"
)

// repairs counts repairs, and logs the first of each kind as a warning.
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
	r.log.Log(context.Background(), level, "repaired the agent's message", append([]any{"repair", string(kind)}, args...)...)
}

// summary logs the number of repairs of each kind.
func (r *repairs) summary() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for kind, n := range r.counts {
		r.log.Info("repairs", "repair", string(kind), "count", n)
	}
}
