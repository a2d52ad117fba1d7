package sim

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// queuedLaw: a message that an AHP client has queued, or has sent to the running turn, reaches
// the agent once, or still waits, or is a draft again. What was removed or replaced in time
// never reaches it. What waits when a server stops is a draft after that. A client whose
// connection is lost may never learn whether it has removed a message.
type queuedLaw struct {
	messages map[string]*queuedMessage          // by text
	early    map[string]int                     // by text: how often agents got it before its client knew that it was accepted
	changes  map[queuedPlace]map[ownAction]bool // actions whose outcome nobody has learned
	gone     map[string]bool                    // by text: it was removed before its client knew that it was accepted
}

// A queuedPlace identifies a message in a queue. Its text may change.
type queuedPlace struct{ session, id string }

// A queuedMessage is a message for later. It is guarded like the law.
type queuedMessage struct {
	queuedPlace

	started  int  // how many servers there were when a host accepted it
	draft    bool // it was shown as a draft
	shown    bool // it was shown as a turn, or the draft was changed, and is the users' matter
	removed  bool // in time
	received int  // by agents
}

func newQueued() law {
	return &queuedLaw{make(map[string]*queuedMessage), make(map[string]int), make(map[queuedPlace]map[ownAction]bool), make(map[string]bool)}
}

func (*queuedLaw) name() string { return "a queued message is sent once" }

// watch implements [watcherLaw].
func (l *queuedLaw) watch(w *World, n *notice) error {
	switch n.kind {
	case learned:
		if n.chat.Draft != nil {
			l.drafted(n.chat.Draft.Text)
		}
	case dispatched:
		if n.action == "chat/turnStarted" || n.action == "chat/draftChanged" {
			l.redraft(w, n.channel)
		}
	}
	if err := l.noteChange(n); err != nil {
		return err
	}
	if n.kind != acted || n.reason != "" || !strings.HasPrefix(n.action, "chat/") {
		return nil
	}
	name, _ := nameOf(n.channel)
	if n.clientID == n.mirror.id && n.mirror.chats[name] == nil { // it no longer knows what it has changed
		l.loseSession(name)
	}
	switch n.action {
	case "chat/pendingMessageSet":
		var a ahp.PendingMessageSet
		if err := exactjson.Unmarshal(n.raw, &a); err != nil {
			return err
		}
		if chat := n.mirror.chats[name]; chat != nil && n.clientID != "" {
			l.remove(chat, a.ID, a.Message.Text)
		}
		if mirrorToken.MatchString(a.Message.Text) && l.messages[a.Message.Text] == nil {
			l.messages[a.Message.Text] = &queuedMessage{queuedPlace: queuedPlace{name, a.ID}, started: w.started, received: l.early[a.Message.Text], removed: l.gone[a.Message.Text]}
		}
	case "chat/pendingMessageRemoved":
		var a ahp.PendingMessageRemoved
		if err := exactjson.Unmarshal(n.raw, &a); err != nil {
			return err
		}
		if chat := n.mirror.chats[name]; chat != nil && n.clientID != "" && a.Kind == ahp.PendingQueued {
			l.remove(chat, a.ID, "")
		}
	case "chat/turnStarted":
		l.show(string(n.raw))
	case "chat/draftChanged":
		if n.clientID != "" { // it replaces any draft, also one that its client doesn't know yet
			l.redraft(w, n.channel)
		}
		l.drafted(string(n.raw))
	case "chat/truncated":
		l.loseSession(name)
	}
	return nil
}

// noteChange records that a client sends an action for a queued message, or that a client gets
// that action.
func (l *queuedLaw) noteChange(n *notice) error {
	if n.action != "chat/pendingMessageSet" && n.action != "chat/pendingMessageRemoved" {
		return nil
	}
	var of struct {
		ID string `json:"id"`
	}
	if err := exactjson.Unmarshal(n.raw, &of); err != nil {
		return err
	}
	name, _ := nameOf(n.channel)
	at, action := queuedPlace{name, of.ID}, ownAction{n.clientID, n.clientSeq}
	if n.kind == acted {
		if n.clientID == n.mirror.id || n.mirror.chats[name] != nil { // others may not know what it has changed
			delete(l.changes[at], action)
		}
		return nil
	}
	if l.changes[at] == nil {
		l.changes[at] = make(map[ownAction]bool)
	}
	l.changes[at][action] = true
	return nil
}

// remove records that a message was removed from a queue, unless its text stays.
func (l *queuedLaw) remove(chat *reflection, id, text string) {
	for _, p := range chat.QueuedMessages {
		if p.ID != id || p.Message.Text == text {
			continue
		}
		l.gone[p.Message.Text] = true
		if q := l.messages[p.Message.Text]; q != nil {
			q.removed = true
		}
	}
}

// drafted records the messages in a draft.
func (l *queuedLaw) drafted(text string) {
	for _, token := range mirrorToken.FindAllString(text, -1) {
		if q := l.messages[token]; q != nil {
			q.draft = true
		}
	}
}

// redraft records that a client changes a chat's draft, perhaps one that nobody has seen since
// the server was restarted.
func (l *queuedLaw) redraft(w *World, channel string) {
	name, _ := nameOf(channel)
	for _, q := range l.messages {
		if q.session == name && (q.draft || q.started != w.started) {
			q.shown = true
		}
	}
}

// show records the messages in a text that users can see.
func (l *queuedLaw) show(text string) {
	for _, token := range mirrorToken.FindAllString(text, -1) {
		if q := l.messages[token]; q != nil {
			q.shown = true
		}
	}
}

func (l *queuedLaw) loseSession(name string) {
	for _, q := range l.messages {
		q.shown = q.shown || q.session == name
	}
}

// mirrorToken matches the text of an AHP client's message.
var mirrorToken = regexp.MustCompile(`P[1-9]\d\d\.\d+`)

func (l *queuedLaw) see(w *World, e *event) error {
	switch e.kind {
	case began, steered:
		if e.again > 0 {
			return nil // Turnwire's own prompt, which tells the agent what was accepted
		}
		for _, token := range mirrorToken.FindAllString(e.turn+e.subject, -1) {
			q := l.messages[token]
			if q == nil {
				l.early[token]++
				continue
			}
			if q.received++; q.received > 1 {
				return fmt.Errorf("%s is sent to the agent again", token)
			}
			if q.removed {
				return fmt.Errorf("%s is sent to the agent after it was removed", token)
			}
		}
	case rested:
		for _, id := range sortedKeys(w.inspected) {
			l.show(w.inspected[id])
		}
		for _, token := range sortedKeys(l.messages) {
			q := l.messages[token]
			s := w.session(q.session)
			if q.received > 0 || q.removed || len(l.changes[q.queuedPlace]) > 0 || q.shown || w.emptied > 0 || w.nats != nil || s != nil && (s.deleted || s.unclear || s.unsaved) || w.inspected[q.session] == "" {
				continue
			}
			return fmt.Errorf("the message %s for session %s is lost", token, q.session)
		}
	}
	return nil
}

func (*queuedLaw) end(*World) error { return nil }
