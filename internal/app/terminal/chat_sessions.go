package terminal

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// maxSessions limits how many sessions the menu lists. Agents list the newest first.
const maxSessions = 200

// listed are the agent's sessions, or the error that prevented listing them.
type listed struct {
	sessions []v1.SessionInfo
	err      error
}

func (*listed) isMessage() {}

// sessions lists the sessions of a folder and delivers them.
func (c *conversation) sessions(cwd string) {
	var all []v1.SessionInfo
	for cursor := ""; len(all) < maxSessions; {
		var page v1.ListSessionsResponse
		if err := c.request(v1.MethodSessionList, v1.ListSessionsRequest{Cwd: cwd, Cursor: cursor}, &page); err != nil {
			c.deliver(&listed{err: err})
			return
		}
		all = append(all, page.Sessions...)
		if cursor = page.NextCursor; cursor == "" || len(page.Sessions) == 0 {
			break
		}
	}
	c.deliver(&listed{sessions: all[:min(len(all), maxSessions)]})
}

// askSessions requests the list of the agent's sessions.
func (m *chat) askSessions() tea.Cmd {
	switch able := m.initialized.Capabilities; {
	case !m.ready:
	case m.opts.Leave == nil || able.Sessions.List == nil || !able.LoadSession:
		m.log.say("this agent can't list saved sessions")
	case m.running && !m.opts.Lasting:
		m.log.say("a turn is running: cancel it before you switch sessions")
	default:
		return m.inBackground(func() { m.talk.sessions(m.opts.Cwd) })()
	}
	return nil
}

// sessionsMenu returns a menu of the sessions, which begins with a new one.
func (m *chat) sessionsMenu(l *listed) *menu {
	if l.err != nil {
		m.log.say("the sessions cannot be listed: " + cleanLine(l.err.Error()))
		return nil
	}
	list := &menu{title: "Sessions", items: []item{{name: "New session", choose: m.leaveFor("")}}}
	for _, s := range l.sessions {
		if s.Cwd != m.opts.Cwd {
			continue // it can't continue in this folder
		}
		list.items = append(list.items, item{
			name: cmp.Or(cleanLine(s.Title), cleanLine(s.SessionID)), detail: ago(s.UpdatedAt, m.log.now()),
			current: s.SessionID == m.talk.id, choose: m.leaveFor(s.SessionID),
		})
	}
	return list
}

// ago formats how long ago a session was used, or returns "" if unknown.
func ago(updated string, now time.Time) string {
	at, err := time.Parse(time.RFC3339, updated)
	if err != nil {
		return ""
	}
	const day = 24 * time.Hour
	switch d := now.Sub(at); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%d h ago", d/time.Hour)
	default:
		return fmt.Sprintf("%d d ago", d/day)
	}
}

// leaveFor leaves this session for another one, or for a new one if id is "".
func (m *chat) leaveFor(id string) func() tea.Cmd {
	return func() tea.Cmd {
		if id == m.talk.id && id != "" {
			return nil
		}
		m.switched = true
		m.opts.Leave(id, "")
		return tea.Quit
	}
}
