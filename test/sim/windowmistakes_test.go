package sim

import (
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// mistake lets an AHP client send what no client should send.
func mistake(w *World, m *mirror, name string, s *Step) string {
	switch {
	case s.B%9 == 0 && len(w.mirrors) < maxMirrors:
		return w.connectStranger(m, s)
	case s.B%3 == 0:
		return wrongRequest(m, name, s)
	}
	w.mu.Lock()
	chat := m.chat(name)
	turn, call := "none", "none"
	if chat.ActiveTurn != nil {
		turn = chat.ActiveTurn.ID
		for _, p := range chat.ActiveTurn.ResponseParts {
			if p.ToolCall != nil {
				call = p.ToolCall.ToolCallID
			}
		}
	}
	used, pending := "none", "none"
	if len(chat.Turns) > 0 {
		used = chat.Turns[0].ID
	}
	if len(chat.QueuedMessages) > 0 {
		pending = chat.QueuedMessages[0].ID
	}
	mayStart := w.maySay(name)
	w.mu.Unlock()
	wrong := userMessage("wrong")
	all := []struct {
		channel string
		action  object
	}{
		{m.channel(name), object{"type": "chat/turnStarted", "turnId": "", "message": wrong}},
		{m.channel(name), object{"type": "chat/turnStarted", "turnId": strings.Repeat("x", 1000), "message": wrong}},
		{m.channel(name), object{"type": "chat/turnCancelled", "turnId": "none"}},
		{m.channel(name), object{"type": "chat/pendingMessageSet", "kind": "bogus", "id": "x", "message": wrong}},
		{m.channel(name), object{"type": "chat/toolCallConfirmed", "turnId": turn, "toolCallId": call, "approved": true, "editedToolInput": "x"}},
		{m.channel(name), object{"type": "chat/toolCallConfirmed", "turnId": turn, "toolCallId": call, "approved": true, "selectedOptionId": "none"}},
		{m.channel(name), object{"type": "chat/inputCompleted", "requestId": "none", "response": "accept"}},
		{m.channel(name), object{"type": "chat/truncated", "turnId": "none"}},
		{m.channel(name), object{"type": "chat/turnResume", "turnId": turn}},
		{m.channel(name), object{"type": "chat/delta", "turnId": turn, "partId": "part-1", "content": "forged"}},
		{m.channel(name), object{"type": "chat/draftChanged", "draft": "no message"}},
		{m.session(name), object{"type": "session/titleChanged", "title": "\n"}},
		{m.session(name), object{"type": "session/activeClientSet", "activeClient": object{"clientId": "another"}}},
		{m.session(name), object{"type": "session/activeClientRemoved", "clientId": "another"}},
		{m.session(name), object{"type": "session/activeClientRemoved", "clientId": m.id}},
		{m.session(name), object{"type": "session/configChanged", "config": object{"loud": "none"}}},
		{m.session(name), object{"type": "chat/draftChanged", "draft": wrong}},
		{ahp.Root, object{"type": "root/configChanged", "config": object{}}},
		{ahp.Root, object{"type": "session/titleChanged", "title": "root"}},
		{"nowhere:/none", object{"type": "session/titleChanged", "title": "nowhere"}},
	}
	if used != "none" && mayStart {
		all = append(all, struct {
			channel string
			action  object
		}{m.channel(name), object{"type": "chat/turnStarted", "turnId": used, "message": wrong}})
	}
	if strings.HasPrefix(pending, "other-") {
		all = append(all, struct {
			channel string
			action  object
		}{m.channel(name), object{"type": "chat/pendingMessageRemoved", "kind": "queued", "id": pending}})
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few actions
	m.dispatchOn(one.channel, name, one.action)
	return m.name + " does what it must not: " + one.action["type"].(string) //nolint:forcetypeassert // each action has a type
}

// connectStranger connects an AHP client that doesn't begin as it must.
func (w *World) connectStranger(like *mirror, s *Step) string {
	m := w.dialMirror(like.server, like.agent)
	m.memory = newMemory(m.name)
	m.write(object{"method": "unsubscribe", "params": object{"channel": ahp.Root}})
	m.call("listSessions", object{"channel": ahp.Root})
	m.call("initialize", [...]object{
		{"protocolVersions": []string{"2.0.0", "0.1.0"}, "clientId": m.id},
		{"protocolVersions": []string{"one"}, "clientId": m.id},
		{"protocolVersions": []string{"1.0.0"}},
		{"protocolVersions": 1},
		{"protocolVersions": []string{"0.9.0"}, "clientId": m.id, "initialSubscriptions": []string{ahp.Root, "nowhere:/none"}},
	}[s.C%5])
	return m.name + " connects, but begins otherwise"
}

// wrongRequest sends a request or a notification that the host must refuse or ignore.
func wrongRequest(m *mirror, name string, s *Step) string {
	requests := []struct {
		method string
		params object
	}{
		{"initialize", object{"protocolVersions": []string{"1.0.0"}, "clientId": m.id}},
		{"initialize", object{"protocolVersions": []string{"1.0.0"}}},
		{"subscribe", object{}},
		{"subscribe", object{"channel": m.channel("nothing")}},
		{"createSession", object{"channel": "no session"}},
		{"createSession", object{"channel": m.session(name), "provider": m.agent.Name}},
		{"createSession", object{"channel": 1}},
		{"disposeSession", object{"channel": "none:/none"}},
		{"reconnect", object{"lastSeenServerSeq": 1}},
		{"fetchTurns", object{"channel": m.session("nothing")}},
		{"completions", object{"channel": "none:/none", "text": "@", "offset": 1}},
		{"listSessions", object{"limit": "many"}},
		{"resourceRead", object{"uri": 1}},
	}
	notes := []object{
		{"method": "dispatchAction", "params": object{"channel": 1}},
		{"method": "dispatchAction", "params": []string{}},
		{"method": "unsubscribe", "params": object{}},
		{"method": "unsubscribe", "params": object{"channel": "nowhere:/none"}},
		{"method": "no/such_notification"},
	}
	n := s.C % uint32(len(requests)+len(notes)) //nolint:gosec // few messages
	if int(n) < len(requests) {
		if requests[n].method == "createSession" && m.isSubscribing(name) {
			return "" // another server may not know the session, and creates it
		}
		m.call(requests[n].method, requests[n].params)
		return m.name + " requests a wrong " + requests[n].method
	}
	m.write(notes[int(n)-len(requests)])
	return m.name + " sends a wrong notification"
}
