package events

import (
	"log/slog"
	"time"
)

// A turn is the running turn of a session, from a prompt to its answer, or the state
// between two turns. It belongs to the session's goroutine.
type turn struct {
	log     *slog.Logger // with the session's id
	id      string       // that the agent knows; "" if the agent works at none
	running bool         // a prompt waits for its answer
	said    bool         // the user has seen something of it, thoughts aside
	shown   int          // counts what the user is shown, of all turns
	// deadline is when the agent is given no more time to end a cancelled turn; it is
	// zero if the turn isn't cancelled.
	deadline time.Time
}

// begin begins a turn.
func (t *turn) begin(id string) {
	*t = turn{log: t.log, id: id, running: true, shown: t.shown}
}

// end ends the turn if it runs: its prompt is answered.
func (t *turn) end() {
	if t.running {
		t.forget()
	}
}

// leave waits for the end of a turn whose prompt has been answered. The agent gets no
// other prompt before the deadline.
func (t *turn) leave(id string) {
	*t = turn{log: t.log, id: id, shown: t.shown, deadline: time.Now().Add(cancelGrace)}
}

// forget stops waiting for the end of a turn.
func (t *turn) forget() { *t = turn{log: t.log, shown: t.shown} }

// isOver reports whether a cancelled turn has had its time.
func (t *turn) isOver() bool { return t.isCancelled() && !time.Now().Before(t.deadline) }

// cancel gives the agent some time to end the turn itself.
func (t *turn) cancel() { t.deadline = time.Now().Add(cancelGrace) }

// isCancelled reports whether the agent was given time to end the turn.
func (t *turn) isCancelled() bool { return !t.deadline.IsZero() }

// say notes that the user has seen something of the turn.
func (t *turn) say() { t.said = true }

// show notes that the user is shown something, and whether it says something.
func (t *turn) show(says bool) {
	t.shown++
	t.said = t.said || says
}

// logger returns the log with the ids of the session and of the running turn.
func (t *turn) logger() *slog.Logger {
	if t.running {
		return t.log.With("turn", t.id)
	}
	return t.log
}
