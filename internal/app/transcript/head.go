package transcript

import (
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// timeFormat is the format of times in documents.
const timeFormat = "2006-01-02 15:04:05 MST"

// title returns a session's title for documents.
func title(s journal.Summary) string {
	if t := oneLine(s.Title); t != "" {
		return t
	}
	return "Session " + oneLine(s.ID)
}

// facts returns the entries in the head of a document.
func facts(s journal.Summary) [][2]string {
	return [][2]string{
		{"Session", oneLine(s.ID)},
		{"Agent", oneLine(s.Agent)},
		{"Folder", oneLine(s.Cwd)},
		{"Begun", s.Created.UTC().Format(timeFormat)},
		{"Changed", s.Updated.UTC().Format(timeFormat)},
	}
}

// clock formats the time of an item, or returns "" if it is zero.
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeFormat)
}

// ending describes how a turn ended, or returns "" if it ended normally.
func (e *End) ending() string {
	switch {
	case e.Failure != "":
		return "The turn failed: " + oneLine(e.Failure)
	case e.Stop == "end_turn" || e.Stop == "":
		return ""
	case e.Stop == "cancelled":
		return "Cancelled."
	}
	return "Stopped: " + oneLine(string(e.Stop))
}
