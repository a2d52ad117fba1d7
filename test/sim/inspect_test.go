package sim

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A listing is the list of sessions that an AHP client gets at the end.
type listing struct {
	by        *mirror
	second    bool // on the second server
	resources []string
}

// hasWindows reports whether the plan has more steps of AHP clients than the basic ones.
func (p *Plan) hasWindows() bool {
	for i := range p.Steps {
		if p.Steps[i].Op >= opCreate {
			return true
		}
	}
	return false
}

// inspect lets new AHP clients subscribe to the sessions that others have prompted.
func (w *World) inspect() {
	if !w.plan.hasWindows() {
		return
	}
	for _, to := range w.servers() {
		for i := range w.plan.Agents {
			a := &w.plan.Agents[i]
			names := w.prompts(a, to == w.second)
			if to.host == nil && len(names) == 0 {
				continue
			}
			m := w.connectMirror(to, a)
			w.inspectors = append(w.inspectors, m)
			w.settle()
			for _, name := range names {
				m.subscribe(name)
				w.settle()
			}
		}
	}
}

// prompts returns the sessions of an agent that AHP clients have prompted.
func (w *World) prompts(a *agentSpec, second bool) []string {
	names := make(map[string]bool)
	w.mu.Lock()
	defer w.mu.Unlock()
	for token, name := range w.prompted {
		var number int
		_, _ = fmt.Sscanf(token, "P%d.", &number) // it remains 0
		s, c := w.session(name), w.creation(name)
		if number >= mirrorNumbers && (s != nil && s.agent == a && !s.deleted || c != nil && c.agent == a && c.second == second) {
			names[name] = true
		}
	}
	return sortedKeys(names)
}

// drain lets AHP clients remove all queued messages, and cancel all turns that ACP clients
// can't cancel.
func (w *World) drain() {
	for range 3 {
		for _, m := range w.inspectors {
			w.mu.Lock()
			names := sortedKeys(m.chats)
			w.mu.Unlock()
			for _, name := range names {
				m.drain(name)
			}
		}
		if len(w.inspectors) > 0 {
			time.Sleep(time.Minute + w.latency())
			w.settle()
		}
	}
}

// drain empties a session's queue and cancels its turn.
func (m *mirror) drain(name string) {
	w := m.world
	w.mu.Lock()
	chat := m.chat(name).Chat
	w.mu.Unlock()
	for _, p := range chat.QueuedMessages {
		m.dispatch(name, object{"type": "chat/pendingMessageRemoved", "kind": "queued", "id": p.ID})
	}
	if chat.ActiveTurn != nil {
		stop(w, m, name, nil)
	}
	w.settle()
}

// list compares what all AHP clients know with fresh snapshots, and lets some list the sessions.
func (w *World) list() {
	if len(w.inspectors) == 0 || len(w.lists) > 0 {
		return
	}
	w.mu.Lock()
	live := w.live()
	w.mu.Unlock()
	for _, m := range live {
		m.refresh()
	}
	time.Sleep(time.Minute) // the first request after a restart lets the host begin a turn with a notice
	w.settle()
	for _, m := range w.inspectors {
		one := &listing{by: m, second: m.server == w.second}
		w.lists = append(w.lists, one)
		m.callFor("listSessions", object{"channel": ahp.Root}, func(result json.RawMessage, _ bool) {
			var listed struct {
				Items []ahp.SessionSummary `json:"items"`
			}
			_ = exactjson.Unmarshal(result, &listed) // otherwise nothing is listed
			for _, s := range listed.Items {
				one.resources = append(one.resources, s.Resource)
			}
		})
		w.mu.Lock()
		for _, name := range sortedKeys(m.chats) {
			w.inspected[name] += string(encode(&m.chats[name].Chat))
		}
		w.mu.Unlock()
	}
	w.settle()
}
