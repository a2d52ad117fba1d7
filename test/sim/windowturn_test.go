package sim

import (
	"encoding/base64"
	"fmt"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// newToken returns the text of an AHP client's next message. The caller holds the lock.
func (m *mirror) newToken(name string) string {
	m.prompts++
	token := fmt.Sprintf("P%d.%d", m.number+mirrorNumbers, m.prompts)
	w := m.world
	w.prompted[token] = name
	w.lose(name)
	w.shareUnknown(token, name)
	return token
}

// userMessage returns a user's message.
func userMessage(text string, attachments ...object) object {
	m := object{"text": text, "origin": object{"kind": "user"}}
	if len(attachments) > 0 {
		m["attachments"] = attachments
	}
	return m
}

// maySay reports whether an AHP client may prompt a session. The caller holds the lock.
func (w *World) maySay(name string) bool {
	s := w.session(name)
	return s == nil || !s.deleted
}

// enqueue lets an AHP client queue a message, or send it to the agent during its turn.
func enqueue(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	if !w.maySay(name) {
		w.mu.Unlock()
		return ""
	}
	token := m.newToken(name)
	w.mu.Unlock()
	kind := [...]string{"queued", "queued", "steering"}[s.B%3]
	id := "pending-" + token
	if s.C%32 == 0 {
		id = ""
	}
	m.dispatch(name, object{"type": "chat/pendingMessageSet", "kind": kind, "id": id, "message": userMessage(token)})
	return m.name + " sends " + token + " for later: " + kind
}

// arrange lets an AHP client remove, edit or reorder the messages in a queue.
func arrange(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	chat := m.chat(name)
	var ids []string
	for _, p := range chat.QueuedMessages {
		ids = append(ids, p.ID)
	}
	steering := chat.SteeringMessage
	edited := ""
	if len(ids) > 0 && s.B%3 == 0 && w.maySay(name) {
		edited = m.newToken(name)
	}
	w.mu.Unlock()
	if steering != nil && s.B%2 == 0 {
		m.dispatch(name, object{"type": "chat/pendingMessageRemoved", "kind": "steering", "id": steering.ID})
		return m.name + " removes the message for the turn"
	}
	if len(ids) == 0 {
		return ""
	}
	id := ids[s.C%uint32(len(ids))] //nolint:gosec // few messages
	switch s.B % 3 {
	case 0:
		if edited == "" {
			return ""
		}
		m.dispatch(name, object{"type": "chat/pendingMessageSet", "kind": "queued", "id": id, "message": userMessage(edited)})
		return m.name + " edits " + id + ": " + edited
	case 1:
		m.dispatch(name, object{"type": "chat/pendingMessageRemoved", "kind": "queued", "id": id})
		return m.name + " removes " + id
	}
	m.dispatch(name, object{"type": "chat/queuedMessagesReordered", "order": []string{id, "none"}})
	return m.name + " sends " + id + " first"
}

// bring lets an AHP client prompt with attachments, and with a model.
func bring(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	if !w.maySay(name) {
		w.mu.Unlock()
		return ""
	}
	token := m.newToken(name)
	content := m.contents(name)
	w.mu.Unlock()
	about := base64.RawURLEncoding.EncodeToString([]byte(`{"scheme":"file"}`))
	all := []object{
		{"type": "resource", "label": "a.txt", "uri": "file:///work/a.txt"},
		{"type": "resource", "label": "b.txt", "uri": "vscode-agent-host://host/work/b.txt?_ah%3D" + about},
		{"type": "resource", "label": "c.txt", "uri": "vscode-agent-host://host/work/c.txt?bogus"},
		{"type": "embeddedResource", "label": "image of " + token, "data": "aGVsbG8=", "contentType": "image/png"},
		{"type": "simple", "label": "a hint"},
	}
	if content != "" {
		all = append(all, object{"type": "resource", "label": "edit for " + token, "uri": content})
	}
	said := userMessage(token, all[s.B%uint32(len(all))]) //nolint:gosec // few attachments
	said["model"] = object{"id": [...]string{"default", "big", "none"}[s.C%3]}
	m.dispatch(name, object{"type": "chat/turnStarted", "turnId": token, "startedAt": "", "message": said})
	return m.name + " prompts " + token + " with an attachment"
}

// contents returns the URI of one side of an edit in a chat, or "". The caller holds the lock.
func (m *mirror) contents(name string) string {
	for _, t := range m.chat(name).Turns {
		for _, p := range t.ResponseParts {
			if p.ToolCall == nil {
				continue
			}
			for _, c := range p.ToolCall.Content {
				if c.After != nil {
					return c.After.Content.URI
				}
			}
		}
	}
	return ""
}

// goBack lets an AHP client go back to the end of an earlier turn, or to the beginning, and
// prompt from there. Only in sessions that no other client knows, because a copy takes the
// session's place.
func goBack(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	chat := m.chat(name)
	if w.creation(name) == nil || len(chat.Turns) == 0 {
		w.mu.Unlock()
		return ""
	}
	action := object{"type": "chat/truncated"}
	to := "the beginning"
	if n := s.B % uint32(len(chat.Turns)+1); n > 0 { //nolint:gosec // few turns
		to = chat.Turns[n-1].ID
		action["turnId"] = to
	} else if s.C%16 == 0 {
		to = "nowhere"
		action["turnId"] = to
	}
	token := m.newToken(name)
	w.creation(name).rewound, w.creation(name).empty = true, to == "the beginning"
	w.mu.Unlock()
	m.dispatch(name, action)
	if s.C%2 == 0 {
		m.dispatch(name, object{"type": "chat/turnStarted", "turnId": token, "message": userMessage(token)})
	}
	return m.name + " goes back to " + to
}

// tell lets an AHP client draft or give answers to a question.
func tell(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	var request *ahp.InputRequest
	if turn := m.chat(name).ActiveTurn; turn != nil {
		for i := range turn.ResponseParts {
			if p := &turn.ResponseParts[i]; p.Request != nil && p.Response == "" {
				request = p.Request
			}
		}
	}
	w.mu.Unlock()
	if request == nil {
		return ""
	}
	if id := inquiryIn(request.Message); id != "" {
		return m.answerInquiry(name, id, request, s)
	}
	answers := object{}
	text := fmt.Sprintf("%s-%d", m.name, m.acts) // AG-UI agents name a turn after it
	for _, q := range request.Questions {
		answers[q.ID] = answerTo(&q, text, s.B)
	}
	if s.C%4 == 0 && len(request.Questions) > 0 {
		id := request.Questions[0].ID
		m.dispatch(name, object{"type": "chat/inputAnswerChanged", "requestId": request.ID, "questionId": id, "answer": answers[id]})
		return m.name + " drafts an answer"
	}
	response := [...]string{ahp.Accept, ahp.Accept, ahp.Accept, ahp.Decline, ahp.Cancel, "bogus"}[s.C/4%6]
	m.dispatch(name, object{"type": "chat/inputCompleted", "requestId": request.ID, "response": response, "answers": answers})
	return m.name + " answers a question: " + response
}

// answerTo returns an answer to a question. It is often none that fits.
func answerTo(q *ahp.Question, text string, n uint32) object {
	kind, value := "text", any(text)
	switch q.Kind {
	case ahp.AskNumber, ahp.AskInteger:
		kind, value = "number", n%5
	case ahp.AskBoolean:
		kind, value = "boolean", n%2 == 0
	case ahp.AskOne:
		kind = "selected"
		if len(q.Options) > 0 {
			value = q.Options[n%uint32(len(q.Options))].ID //nolint:gosec // few options
		}
	case ahp.AskMany:
		kind, value = "selected-many", []string{"none"}
		if len(q.Options) > 0 {
			value = []string{q.Options[0].ID}
		}
	}
	if n%7 == 0 {
		return object{"state": ahp.AnswerSkipped}
	}
	return object{"state": "submitted", "value": object{"kind": kind, "value": value}}
}

// browse lets an AHP client read files and older turns.
func browse(w *World, m *mirror, name string, s *Step) string {
	w.mu.Lock()
	chat := m.chat(name)
	cursor := chat.TurnsNextCursor
	content := m.contents(name)
	w.mu.Unlock()
	files := "file://" + w.shownFiles()
	all := []struct {
		method string
		params object
	}{
		{"fetchTurns", object{"channel": m.channel(name), "cursor": cursor}},
		{"fetchTurns", object{"channel": m.channel(name), "cursor": [...]string{"bogus", "before-99"}[s.C%2]}},
		{"resourceRead", object{"uri": files + "/a.txt", "encoding": [...]string{"", "base64"}[s.C%2]}},
		{"resourceRead", object{"uri": files}},
		{"resourceList", object{"uri": files}},
		{"resourceResolve", object{"uri": files + [...]string{"/a.txt", "/none.txt"}[s.C%2]}},
		{"resourceRead", object{"uri": content}},
		{"resourceResolve", object{"uri": content}},
		{"resourceRead", object{"uri": "turnwire-content:/none/a"}},
		{"resourceRead", object{"uri": [...]string{"http://localhost/a", "file:///etc/passwd"}[s.C%2]}},
		{"completions", object{"channel": m.channel(name), "text": "see @a", "offset": 6}},
		{"listSessions", object{"limit": 1, "cursor": [...]string{"1", "bogus"}[s.C%2]}},
		{"resolveSessionConfig", object{"provider": [...]string{m.agent.Name, "nobody"}[s.C%2], "config": object{"loud": "off", "none": true}}},
		{"fetchTurns", object{"channel": m.channel("nothing")}},
	}
	if cursor != "" && s.C%3 > 0 {
		s = &Step{}
	}
	one := all[s.B%uint32(len(all))] //nolint:gosec // few requests
	if one.method == "fetchTurns" && m.isFetching() {
		return ""
	}
	m.call(one.method, one.params)
	return m.name + " requests " + one.method
}

// isFetching reports whether the client waits for older turns.
func (m *mirror) isFetching() bool {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	for _, call := range m.calls {
		if call.method == "fetchTurns" && !call.answered {
			return true
		}
	}
	return false
}
