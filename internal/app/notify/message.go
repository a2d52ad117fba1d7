package notify

import (
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/visible"
)

// The kinds of requests in a [Message].
const (
	permission = "permission"
	question   = "question"
)

// A Message is a notification. Its JSON is the body of a webhook.
type Message struct {
	ID      string    `json:"id"`    // unique, the same in each attempt
	Event   string    `json:"event"` // waits, ended or failed; test for a test
	Agent   string    `json:"agent"`
	Session string    `json:"session,omitempty"`
	Title   string    `json:"title,omitempty"`   // the session's, if it has one
	Request string    `json:"request,omitempty"` // permission or question, if it waits
	Time    time.Time `json:"time"`
	Page    string    `json:"page,omitempty"` // the address of the session on the server's page
}

// testEvent is the event of a test message.
const testEvent = "test"

// headline says in a few words what happened. It never begins with a dash.
func (m *Message) headline() string {
	switch m.Event {
	case config.NotifyEnded:
		return "Turnwire: " + m.Agent + " is done"
	case config.NotifyFailed:
		return "Turnwire: " + m.Agent + " failed"
	case config.NotifyWaits:
		if m.Request == permission {
			return "Turnwire: " + m.Agent + " asks for permission"
		}
		return "Turnwire: " + m.Agent + " asks a question"
	}
	return "Turnwire: a test"
}

// detail says which session the message is about. It is never empty.
func (m *Message) detail() string {
	switch {
	case m.Event == testEvent:
		return "Notifications arrive here."
	case m.Title == "":
		return "Session " + m.Session
	}
	return m.Title
}

// maxLine bounds a title in a message, in characters.
const maxLine = 100

// maxText bounds the part of a text that is looked at, in bytes.
const maxText = 2048

// line returns text as a single short line without hidden characters.
func line(text string) string {
	text = strings.ToValidUTF8(text[:min(len(text), maxText)], "")
	text = strings.Join(strings.Fields(visible.Text(text)), " ")
	if runes := []rune(text); len(runes) > maxLine {
		return string(runes[:maxLine-1]) + "…"
	}
	return text
}
