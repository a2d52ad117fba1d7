package ahphost

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// rewinds are the turns to whose start the agent's session can go back. The host's mutex
// guards them.
type rewinds struct {
	turns   []prompted
	cursors map[string]string // the cursor before a message, by the message's id
	forks   map[string]bool   // whether session/fork accepts a cursor now
	// repeated counts the turns whose messages the history of a fork has repeated. It is
	// negative while no history is expected.
	repeated int
	last     string // the latest repeated message
}

// A prompted turn is a turn that a message started.
type prompted struct{ turn, message string }

func newRewinds() *rewinds {
	return &rewinds{cursors: make(map[string]string), forks: make(map[string]bool), repeated: -1}
}

// begin records that a message started a turn.
func (r *rewinds) begin(turn, message string) { r.turns = append(r.turns, prompted{turn, message}) }

// maxCursors bounds the known cursors of a session.
const maxCursors = 10_000

// update records where the session can be forked.
func (r *rewinds) update(u *v1.CursorUpdate) {
	forks, known := r.forks[u.CursorID]
	if !known && len(r.forks) >= maxCursors {
		return
	}
	if u.Capabilities != nil {
		forks = u.Capabilities.Fork != nil
	}
	r.forks[u.CursorID] = forks
	if a := u.Anchor; a != nil && len(r.cursors) < maxCursors && a.Type == v1.CursorUserMessage && a.Position == v1.CursorBefore {
		r.cursors[a.MessageID] = u.CursorID
	}
}

// first returns the index of the first turn that a truncation drops. keeps are the turns
// that stay.
func (r *rewinds) first(keeps map[string]bool) int {
	for i, p := range r.turns {
		if !keeps[p.turn] {
			return i
		}
	}
	return len(r.turns)
}

// cursor returns the cursor before a turn, or "".
func (r *rewinds) cursor(i int) string {
	if c := r.cursors[r.turns[i].message]; r.forks[c] {
		return c
	}
	return ""
}

// cut drops the turns from index i on. The history of the fork follows, in which the other
// messages have new ids.
func (r *rewinds) cut(i int) {
	r.turns, r.repeated, r.last = r.turns[:i:i], 0, ""
	clear(r.cursors)
	clear(r.forks)
}

// repeats records a message in the history of a fork.
func (r *rewinds) repeats(message string) {
	if r.repeated < 0 || message == r.last && message != "" {
		return
	}
	if r.last = message; r.repeated < len(r.turns) {
		r.turns[r.repeated].message = message
	}
	r.repeated++
}

// attached records that the history is complete.
func (r *rewinds) attached() { r.repeated = -1 }

// reset forgets everything, because the history will be shown again.
func (r *rewinds) reset() { *r = *newRewinds() }
