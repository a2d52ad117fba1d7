package terminal

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A said is a message of the user, before which the session may be forked.
type said struct {
	id     string // of the message
	text   string
	cursor string // the cursor before it; "" if none is known
}

// rewinds are the user's messages, and the cursors at which the session can be forked.
type rewinds struct {
	all   []*said
	last  string          // the id of the latest message or tool call
	ahead string          // the cursor after it, or ""
	forks map[string]bool // the cursors that session/fork accepts now
}

// say adds a message of the user, with the cursor that is known for this place.
func (r *rewinds) say(id, text string) {
	r.all = append(r.all, &said{id: id, text: text, cursor: r.ahead})
	r.last, r.ahead = id, ""
}

func (r *rewinds) update(u v1.Update) {
	switch u := u.(type) {
	case *v1.MessageChunk:
		if u.Kind == v1.UserMessage {
			r.heard(u)
		} else if u.MessageID != r.last {
			r.last, r.ahead = u.MessageID, ""
		}
	case *v1.ToolCall:
		r.last, r.ahead = u.ToolCallID, ""
	case *v1.CursorUpdate:
		r.place(u)
	}
}

// heard adds a chunk of a message that was replayed, or sent by another client.
func (r *rewinds) heard(u *v1.MessageChunk) {
	text := ""
	if t, ok := u.Content.(*v1.TextBlock); ok {
		text = t.Text.String()
	}
	if n := len(r.all); n > 0 && u.MessageID != "" && r.all[n-1].id == u.MessageID {
		r.all[n-1].text += text
		return
	}
	r.say(u.MessageID, text)
}

// maxCursors bounds the known cursors of a session.
const maxCursors = 10_000

// place records a cursor, if it is before a message of the user.
func (r *rewinds) place(u *v1.CursorUpdate) {
	if r.forks == nil {
		r.forks = make(map[string]bool)
	}
	forks, known := r.forks[u.CursorID]
	if !known && len(r.forks) >= maxCursors {
		return
	}
	if u.Capabilities != nil {
		forks = u.Capabilities.Fork != nil
	}
	r.forks[u.CursorID] = forks
	if u.Anchor == nil {
		return
	}
	switch id := u.Anchor.MessageID + u.Anchor.ToolCallID; {
	case id == "":
	case u.Anchor.Position == v1.CursorAfter && id == r.last:
		r.ahead = u.CursorID
	case u.Anchor.Position == v1.CursorBefore && u.Anchor.Type == v1.CursorUserMessage:
		for _, s := range r.all {
			if s.id == id {
				s.cursor = u.CursorID
			}
		}
	}
}

// possible returns the messages before which the session can be forked, newest first.
func (r *rewinds) possible() (all []*said) {
	for _, s := range slices.Backward(r.all) {
		if r.forks[s.cursor] {
			all = append(all, s)
		}
	}
	return all
}

// newMessageID returns an id for a message of the user.
func newMessageID() string { return rand.Text() }

// forked is the session that begins as a copy up to a message, or the error that
// prevented it.
type forked struct {
	session string
	draft   string
	err     error
}

func (*forked) isMessage() {}

// fork forks the session before a message and delivers [*forked].
func (c *conversation) fork(cwd string, at said) {
	var made v1.ForkSessionResponse
	err := c.request(v1.MethodSessionFork, v1.ForkSessionRequest{SessionID: c.id, CursorID: &at.cursor, Cwd: cwd, MCPServers: v1.MCPServers{}}, &made)
	if err == nil && made.SessionID == "" {
		err = errors.New("the agent opened a session without an ID")
	}
	c.deliver(&forked{made.SessionID, at.text, err})
}

// rewind opens a menu of the messages from which the user can go on in a new session.
func (m *chat) rewind() tea.Cmd {
	possible := m.rewinds.possible()
	switch {
	case m.opts.Leave == nil || len(possible) == 0:
		m.log.say("this agent can't go on from an earlier message")
		return nil
	case m.running && !m.opts.Lasting:
		m.log.say("a turn is running: cancel it before you go back")
		return nil
	}
	list := &menu{title: "Edit and go on from"}
	for _, s := range possible {
		at := *s
		name, more, cut := strings.Cut(strings.TrimSpace(at.text), "\n")
		detail := ""
		if cut && more != "" {
			detail = "…"
		}
		list.items = append(list.items, item{
			name: cleanLine(name), detail: detail,
			choose: m.inBackground(func() { m.talk.fork(m.opts.Cwd, at) }),
		})
	}
	m.menu = list
	return nil
}

// goOnFrom leaves for the fork, with the message ready to edit.
func (m *chat) goOnFrom(f *forked) tea.Cmd {
	if f.err != nil {
		m.log.say("the session was not forked: " + cleanLine(f.err.Error()))
		return nil
	}
	m.switched = true
	m.opts.Leave(f.session, f.draft)
	return tea.Quit
}

// escaped handles Esc while nothing runs: the second one opens the menu of [chat.rewind].
func (m *chat) escaped() tea.Cmd {
	if m.input.value() != "" || len(m.rewinds.possible()) == 0 {
		return nil
	}
	if m.escaping {
		m.escaping = false
		return m.rewind()
	}
	m.escaping = true
	m.remark = "Esc again goes back to an earlier message"
	return nil
}
