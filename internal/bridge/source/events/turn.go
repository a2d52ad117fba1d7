package events

import (
	"log/slog"
	"time"
)

// A turn is a session's running turn, from a prompt to its response, or the state
// between two turns. It belongs to the session's goroutine.
type turn struct {
	log     *slog.Logger // with the session's id
	id      string       // the agent's id for the turn; "" if the agent works on none
	running bool         // a prompt is unanswered
	visible bool         // the user saw some output other than thoughts
	shown   int          // counts the visible outputs of all turns
	// deadline is when the agent's time to end a cancelled turn expires. It is zero if
	// the turn isn't cancelled.
	deadline time.Time
}

// begin starts a turn.
func (t *turn) begin(id string) {
	*t = turn{log: t.log, id: id, running: true, shown: t.shown}
}

// end ends the turn if it is running: its prompt is answered.
func (t *turn) end() {
	if t.running {
		t.forget()
	}
}

// leave waits for the end of a turn whose prompt was already answered. The agent gets
// no new prompt before the deadline.
func (t *turn) leave(id string) {
	*t = turn{log: t.log, id: id, shown: t.shown, deadline: time.Now().Add(cancelGrace)}
}

// forget stops waiting for the end of a turn.
func (t *turn) forget() { *t = turn{log: t.log, shown: t.shown} }

// isOver reports whether a cancelled turn has used up its time.
func (t *turn) isOver() bool { return t.isCancelled() && !time.Now().Before(t.deadline) }

// cancel gives the agent some time to end the turn itself.
func (t *turn) cancel() { t.deadline = time.Now().Add(cancelGrace) }

// isCancelled reports whether the turn was cancelled.
func (t *turn) isCancelled() bool { return !t.deadline.IsZero() }

// say records that the user saw output of the turn.
func (t *turn) say() { t.visible = true }

// show counts an output, and records whether it says something to the user.
func (t *turn) show(says bool) {
	t.shown++
	t.visible = t.visible || says
}

// logger returns the log with the ids of the session and the running turn.
func (t *turn) logger() *slog.Logger {
	if t.running {
		return t.log.With("turn", t.id)
	}
	return t.log
}
