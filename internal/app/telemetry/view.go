package telemetry

import (
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// A watchedView is a view whose updates and requests are recorded.
type watchedView struct {
	core.View

	w *Watcher
}

// Chunks implements [core.View].
func (v *watchedView) Chunks(f *core.Frame, text []byte, ends []int) error {
	v.w.totals.updates.Add(int64(max(len(ends), 1)))
	if f.Kind == v1.AgentMessage {
		v.w.spoke(f.Session)
	}
	return v.View.Chunks(f, text, ends)
}

// Update implements [core.View].
func (v *watchedView) Update(session string, u v1.Update, at v1.Times) error {
	v.w.totals.updates.Add(1)
	switch u := u.(type) {
	case *v1.MessageChunk:
		if u.Kind == v1.AgentMessage {
			v.w.spoke(session)
		}
	case *v1.ToolCall:
		v.w.tool(session, tool{u.ToolCallID, string(u.Kind), string(u.Status), true})
	case *v1.ToolCallUpdate:
		v.w.tool(session, tool{u.ToolCallID, string(u.Kind), string(u.Status), false})
	}
	return v.View.Update(session, u, at)
}

// Relay implements [core.View].
func (v *watchedView) Relay(n core.Notification) error {
	v.w.relayed(n)
	return v.View.Relay(n)
}

// Send implements [core.View].
func (v *watchedView) Send(n core.Notification) {
	v.w.relayed(n)
	v.View.Send(n)
}

// Request implements [core.View].
func (v *watchedView) Request(a *core.Request) error {
	if a.Method == v1.MethodRequestPermission || a.Method == v1.MethodElicitationCreate {
		v.w.request(a)
	}
	err := v.View.Request(a)
	if err != nil {
		v.w.withdrawn(a)
	}
	return err
}

// Withdraw implements [core.View].
func (v *watchedView) Withdraw(a *core.Request) {
	v.w.withdrawn(a)
	v.View.Withdraw(a)
}

// relayed records a notification that is already encoded.
func (w *Watcher) relayed(n core.Notification) {
	if n.To == 0 {
		return
	}
	w.totals.updates.Add(1)
	switch kind, t := parseUpdate(n.Line[n.From:n.To]); kind {
	case string(v1.AgentMessage):
		w.spoke(n.Session)
	case "tool_call", "tool_call_update":
		w.tool(n.Session, t)
	}
}
