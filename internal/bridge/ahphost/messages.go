package ahphost

import v1 "github.com/turnwire/turnwire/internal/protocol/v1"

// messages counts the messages of a session that its chat shows, as the session's history
// has them. Some agents give their messages no ids, or other ones when they repeat a history,
// so the number counts too. The host's mutex guards it.
type messages struct {
	n      int
	ids    map[string]bool
	last   string // the id of the last message
	inside bool   // the last change was a block of that message
}

// add counts a message.
func (m *messages) add(id string) {
	m.n++
	m.last = id
	if m.ids == nil {
		m.ids = make(map[string]bool)
	}
	if id != "" && len(m.ids) < maxCursors {
		m.ids[id] = true
	}
}

// block records a block of a message, and reports whether it is the first.
func (m *messages) block(id string) bool {
	isNext := m.inside && id == m.last || id != "" && id == m.last
	m.inside = true
	if !isNext {
		m.add(id)
	}
	return !isNext
}

// see counts the messages among updates.
func (m *messages) see(u v1.Update) {
	if c, is := u.(*v1.MessageChunk); is && c.Kind == v1.UserMessage {
		m.block(c.MessageID)
	} else {
		m.end()
	}
}

// end records that a block that follows, without an id, belongs to another message.
func (m *messages) end() { m.inside = false }
