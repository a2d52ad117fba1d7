package lint

import (
	"strconv"
	"unicode/utf8"
)

// A Severity says how bad a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // something is lost, or never ends
	Warning Severity = "warning" // it works because Turnwire mends it
	Note    Severity = "note"    // worth knowing
)

// A Finding is one thing that is wrong.
type Finding struct {
	Rule     string // the id of a [Rule]
	Severity Severity
	// Subject tells findings of one rule apart: the name of the event or of the
	// member. Two findings with one rule and one subject are of one kind.
	Subject string
	Line    int    // of the stream, from 1; 0 where it is about no line
	Column  int    // in characters, from 1; 0 where it is about no place
	Path    string // the JSON path of the value, such as $.options[0].id; "" for none
	Message string // what is wrong
	Help    string // what to do; may be ""
	// Kit is what a test kit of others calls the rule: the ids of its
	// requirements. It is nil where there are none.
	Kit []string
	// Text is the line, or of a long one the part around the place. From and To
	// are the bytes of it that are at fault; they are equal where none are.
	Text     string
	From, To int
	// CutBefore and CutAfter say that Text is a part of the line.
	CutBefore, CutAfter bool
}

// Kind tells whether two findings are alike.
func (f *Finding) Kind() string { return f.Rule + " " + f.Subject }

// Lost reports whether an event was dropped because of what was found, or a part
// of it. A line that is no JSON is taken for a message to people.
func (f *Finding) Lost() bool {
	switch f.Rule {
	case "unknown-event":
		return f.Severity == Error // else it is an event of the agent's own
	case "bad-json", "pretty-json", "json-array", "not-an-object", "no-type", "utf16", "too-long",
		"malformed-event", "wrong-member", "missing-member", "misspelt-member", "unknown-value", "wrong-turn":
		return true
	}
	return false
}

// String is the finding in one sentence, for a log and for a user.
func (f *Finding) String() string {
	text := f.Message
	if f.Line > 0 {
		text = "line " + strconv.Itoa(f.Line) + ": " + text
	}
	if f.Help != "" {
		text += "; " + f.Help
	}
	return text
}

// How much of a line is kept around the place that is at fault, in bytes.
const (
	keptBefore = 300
	keptAfter  = 600
)

// at returns the finding with the part from..to of the line marked.
func (f Finding) at(line []byte, from, to int) Finding {
	from = max(0, min(from, len(line)))
	to = max(from, min(to, len(line)))
	f.Column = utf8.RuneCount(line[:from]) + 1
	start, end := max(0, from-keptBefore), min(len(line), from+keptAfter)
	for start > 0 && !utf8.RuneStart(line[start]) && start > from-keptBefore-utf8.UTFMax {
		start--
	}
	for end < len(line) && !utf8.RuneStart(line[end]) && end < from+keptAfter+utf8.UTFMax {
		end++
	}
	f.Text = string(line[start:end])
	f.From, f.To = from-start, min(to, end)-start
	f.CutBefore, f.CutAfter = start > 0, end < len(line)
	return f
}

// on returns the finding for the whole line.
func (f Finding) on(line []byte) Finding {
	f = f.at(line, 0, 0)
	f.Column = 0
	return f
}
