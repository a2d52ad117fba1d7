package terminal

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// A Notification is how a terminal is asked for a desktop notification.
type Notification uint8

// The kinds of notification.
const (
	NotifyOSC9   Notification = iota // iTerm2, WezTerm, Ghostty, kitty, Windows Terminal
	NotifyOSC777                     // terminals based on VTE, foot, rxvt
)

// NotificationOf returns the kind that a terminal understands.
func NotificationOf(getenv func(string) string) Notification {
	switch term := getenv("TERM"); {
	case getenv("VTE_VERSION") != "", term == "foot", term == "foot-extra", term == "rxvt-unicode-256color":
		return NotifyOSC777
	}
	return NotifyOSC9
}

// A notifiable is something that the user wants to know while looking elsewhere.
type notifiable uint8

const (
	waitsForAnswer notifiable = iota
	turnOver
)

// minTurn is how long a turn must take for the user to want to know its end.
const minTurn = 10 * time.Second

// notify rings the bell. If another window has the keyboard, it also sends a desktop
// notification, which never quotes the conversation.
func (m *chat) notify(what notifiable) tea.Cmd {
	text := "The agent waits for your answer."
	if what == turnOver {
		if m.turn.cancelled || m.log.worked() < minTurn {
			return nil
		}
		text = "The turn is done."
		if m.ended != nil && m.ended.err != nil {
			text = "The turn failed."
		}
	}
	sequence := "\a"
	switch {
	case !m.blurred:
	case m.opts.Chat.Notification == NotifyOSC777:
		sequence += "\x1b]777;notify;Turnwire;" + text + "\x1b\\"
	default:
		sequence += "\x1b]9;Turnwire: " + text + "\x1b\\"
	}
	return tea.Raw(sequence)
}
