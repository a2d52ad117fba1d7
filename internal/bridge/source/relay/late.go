package relay

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// maxLate bounds the updates held for the next turn, in bytes.
const maxLate = 256 << 10

// late holds the updates of a session that arrived after their prompt was answered.
// They are shown with the next turn. The relay's mutex guards it.
type late struct {
	list []core.Notification
	size int // in bytes
}

// hold stores a copy of an update, if there is room.
func (l *late) hold(n *core.Notification) {
	if l.size+len(n.Line) > maxLate {
		return
	}
	queued := *n
	queued.Line = clean(bytes.Clone(n.Line))
	l.list = append(l.list, queued)
	l.size += len(n.Line)
}

// take returns the held updates and clears the list.
func (l *late) take() []core.Notification {
	list := l.list
	*l = late{}
	return list
}
