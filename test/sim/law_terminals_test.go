package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// terminalsLaw: an agent that prints events uses only the client's terminals that it created in
// the session. When its session is closed, also to open it again, those that it left are released.
type terminalsLaw struct {
	open     map[*client]map[string]string // by terminal: the session
	released map[*client]map[string]bool
	closed   map[*client][]string // the sessions that were closed in this step
}

func newTerminals() law {
	return &terminalsLaw{open: make(map[*client]map[string]string), released: make(map[*client]map[string]bool), closed: make(map[*client][]string)}
}

func (*terminalsLaw) name() string { return "agents use their own terminals" }

func (l *terminalsLaw) see(w *World, e *event) error {
	if e.client == nil || e.client.agent.Kind != nativeAgent {
		return nil
	}
	c := e.client
	switch {
	case e.kind == sent && e.request != nil && e.request.method == "terminal/create":
		var created struct {
			TerminalID string `json:"terminalId"`
		}
		if len(e.message.Result) > 0 && exactjson.Unmarshal(e.message.Result, &created) == nil && created.TerminalID != "" {
			if l.open[c] == nil {
				l.open[c], l.released[c] = make(map[string]string), make(map[string]bool)
			}
			l.open[c][created.TerminalID] = e.session
			l.released[c][created.TerminalID] = c.isClosing(e.session) // it may come too late
		}
	case e.kind == sent && e.request != nil && e.request.method == "terminal/release" && len(e.message.Error) == 0:
		delete(l.open[c], e.request.terminal)
	case e.kind == shown && e.request != nil && strings.HasPrefix(e.request.method, "terminal/") && e.request.method != "terminal/create":
		id := e.message.params.TerminalID
		if l.open[c][id] != e.session {
			return fmt.Errorf("%s is asked about the terminal %q, which is none of the session's (%s)", c.name, id, e.request.method)
		}
		l.released[c][id] = e.request.method == "terminal/release"
	case e.kind == shown && e.call != nil && (e.call.method == "session/close" || slices.Contains(opening, e.call.method)) && len(e.message.Error) == 0 && c.kind == editor && w.isPrompt(): // closing does not wait for a slow disk
		l.closed[c] = append(l.closed[c], e.session)
	}
	return nil
}

// isClosing reports whether the client has requested to close or reopen a session, and not read
// the response.
func (c *client) isClosing(session string) bool {
	for _, one := range c.calls {
		if one.open && one.session == session && (one.method == "session/close" || slices.Contains(opening, one.method)) {
			return true
		}
	}
	return false
}

// overdue implements [immediate].
func (l *terminalsLaw) overdue() error {
	defer clear(l.closed)
	for c, closed := range l.closed {
		for _, session := range closed {
			for _, id := range sortedKeys(l.open[c]) {
				if l.open[c][id] == session && !l.released[c][id] && !c.troubled && !c.gone && !c.leaving && !c.server.killed {
					return fmt.Errorf("%s is not asked to release the terminal %s of the closed session %s", c.name, id, session)
				}
			}
		}
	}
	return nil
}

func (*terminalsLaw) end(*World) error { return nil }
