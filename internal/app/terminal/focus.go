package terminal

import "time"

// readTime is how long a prompt must have been open, and the keyboard idle, before
// a key answers the prompt.
const readTime = 700 * time.Millisecond

// A focus decides whether a key is meant for the open prompt. The agent may ask
// while the user types something else, so a prompt takes the keyboard only when
// the user had time to see it, has stopped typing, and isn't writing a draft.
type focus struct {
	idle  time.Time // the last time that a prompt opened or a key was pressed
	taken bool      // the prompt took a key, and the next ones belong to the same answer
	draft bool      // the user is writing a prompt
}

// opened starts the wait for a new prompt.
func (f *focus) opened(at time.Time) {
	f.pressed(at)
	f.taken = false
}

// ready reports whether a key pressed at the given time is meant for the prompt.
func (f *focus) ready(at time.Time) bool {
	return !f.draft && (f.taken || at.Sub(f.idle) >= readTime)
}

// press records a key press, and reports whether it is meant for the prompt.
func (f *focus) press(at time.Time) bool {
	ready := f.ready(at)
	f.pressed(at)
	return ready
}

func (f *focus) pressed(at time.Time) {
	if at.After(f.idle) { // a key may be older than the prompt that opened meanwhile
		f.idle = at
	}
}
