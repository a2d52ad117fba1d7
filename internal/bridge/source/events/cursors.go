package events

import (
	"strconv"
	"strings"
	"sync/atomic"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// cursors are the positions at which the session can be forked: before each message that
// started a turn. A cursor's id contains the number of the prompt in the journal, so it
// stays valid after a restart. Everything except able belongs to the session's goroutine,
// and until that starts, to the goroutine that opens the session.
type cursors struct {
	wanted  bool        // the client wants cursors, and the session is saved
	able    atomic.Bool // the agent can continue from an earlier point
	prompts int         // the number of prompts in the journal
	known   []int       // the prompts with a cursor that the client knows
}

func newCursors(wanted, able bool) *cursors {
	c := &cursors{wanted: wanted}
	c.able.Store(able)
	return c
}

// prompt counts a prompt and returns its number.
func (c *cursors) prompt() int {
	c.prompts++
	return c.prompts
}

// announce returns the update that announces the cursor before prompt n, which the
// client knows as a message. It returns nil if the client wants no cursors.
func (c *cursors) announce(n int, message string) *v1.CursorUpdate {
	if !c.wanted {
		return nil
	}
	c.known = append(c.known, n)
	u := c.update(n)
	u.Anchor = &v1.CursorAnchor{Type: v1.CursorUserMessage, MessageID: message, Position: v1.CursorBefore}
	return u
}

// allow records whether the agent can continue an earlier point. It returns the updates
// of all cursors if that changed.
func (c *cursors) allow(able bool) (all []*v1.CursorUpdate) {
	if c.able.Swap(able) == able {
		return nil
	}
	for _, n := range c.known {
		all = append(all, c.update(n))
	}
	return all
}

func (c *cursors) update(n int) *v1.CursorUpdate {
	u := &v1.CursorUpdate{CursorID: cursorBefore(n), Capabilities: &v1.CursorCapabilities{}}
	if c.able.Load() {
		u.Capabilities.Fork = &v1.Marker{}
	}
	return u
}

const cursorPrefix = "prompt-"

// cursorBefore returns the id of the cursor before prompt n.
func cursorBefore(n int) string { return cursorPrefix + strconv.Itoa(n) }

// promptAfter returns the number of the prompt after a cursor. ok is false if no cursor
// can have this id.
func promptAfter(cursor string) (n int, ok bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(cursor, cursorPrefix))
	return n, err == nil && n > 0 && cursorBefore(n) == cursor
}

// userMessage returns the id of the message in prompt n, when it is shown again.
func userMessage(n int) string { return "user-" + strconv.Itoa(n) }

// announceCursor announces the cursor before the message that starts a turn.
func (s *session) announceCursor(p *prompt) {
	n := s.cursors.prompt()
	if p.tells {
		return // the client doesn't know it as a message of the user
	}
	message := p.messageID
	if message == "" {
		message = userMessage(n)
	}
	if u := s.cursors.announce(n, message); u != nil {
		s.out.update(u)
	}
}
