package transcript

import (
	"time"

	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// timeFormat is how documents show times.
const timeFormat = "2006-01-02 15:04:05 MST"

// title is what a document calls a session.
func title(s journal.Summary) string {
	if t := oneLine(s.Title); t != "" {
		return t
	}
	return "Session " + oneLine(s.ID)
}

// facts are what the head of a document says of a session.
func facts(s journal.Summary) [][2]string {
	return [][2]string{
		{"Session", oneLine(s.ID)},
		{"Agent", oneLine(s.Agent)},
		{"Folder", oneLine(s.Cwd)},
		{"Begun", s.Created.UTC().Format(timeFormat)},
		{"Changed", s.Updated.UTC().Format(timeFormat)},
	}
}

// clock is the time of an item in a document, or "".
func clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(timeFormat)
}

// ending says how a turn has ended, or "" if it has ended well.
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
