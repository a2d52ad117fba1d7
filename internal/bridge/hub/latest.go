package hub

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

const (
	commandsUpdate = "available_commands_update"
	usageUpdate    = "usage_update"
)

// maxLatest bounds an update that is remembered for clients without history, in bytes. 4096
// sessions may be open.
const maxLatest = 128 << 10

// A latest holds a history's last update of each kind that agents repeat after
// session/resume. Modes and options are in the response (type setup), and a title is in
// session/list. The change is empty until there is such an update.
type latest struct{ commands, usage change }

// note remembers a change if it has such an update.
func (l *latest) note(c *change) {
	if c.kind == "" {
		// Most updates are texts: don't parse them.
		if update := c.update(); !bytes.Contains(update, []byte(commandsUpdate)) && !bytes.Contains(update, []byte(usageUpdate)) {
			return
		}
		c.read()
	}
	var last *change
	switch c.kind {
	case commandsUpdate:
		last = &l.commands
	case usageUpdate:
		last = &l.usage
	default:
		return
	}
	if *last = *c; len(c.line) > maxLatest {
		*last = change{} // don't keep the previous one, which is out of date
	}
}

// before returns the changes with numbers below seq.
func (l *latest) before(seq int64) (all []change) {
	for _, c := range []change{l.commands, l.usage} {
		if c.seq > 0 && c.seq < seq {
			all = append(all, c)
		}
	}
	return all
}

// showLatest shows the agent's commands and its usage to a client that was attached just now,
// and doesn't get them with the history. The hub repeats them because it doesn't ask the agent
// to resume a session that is open.
func (a *attachment) showLatest() {
	if a.client.Host {
		return // it asks for the history next
	}
	for _, c := range a.session.history.latest.before(a.sent + 1) {
		n := c.notification(a.session.id, false)
		a.client.enqueue(message{size: len(n.Line), do: func(v core.View) { _ = v.Relay(n) }}) // after a failure the view disconnects
	}
}
