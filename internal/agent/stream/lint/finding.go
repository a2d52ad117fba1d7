package lint

import (
	"strconv"
	"unicode/utf8"
)

// A Severity says how serious a finding is.
type Severity string

// The severities.
const (
	Error   Severity = "error"   // something is lost, or never ends
	Warning Severity = "warning" // it works, because Turnwire repairs it
	Note    Severity = "note"    // worth knowing
)

// A Finding is one mistake.
type Finding struct {
	Rule     string // the id of a [Rule]
	Severity Severity
	// Subject distinguishes findings of one rule: the name of the event or
	// member. Two findings with the same rule and subject are of the same kind.
	Subject string
	Line    int    // in the stream, from 1; 0 if the finding is about no line
	Column  int    // in characters, from 1; 0 if the finding is about no column
	Path    string // the JSON path of the value, such as $.options[0].id; "" for none
	Message string // what is wrong
	Help    string // how to fix it; may be ""
	// Kit lists the requirement ids that a third-party test kit uses for this
	// rule, or nil.
	Kit []string
	// Text is the line, or the relevant part of a long one. From and To delimit
	// the faulty bytes in it; they are equal if no bytes are marked.
	Text     string
	From, To int
	// CutBefore and CutAfter say that Text is only part of the line.
	CutBefore, CutAfter bool
}

// Kind identifies similar findings: those with the same rule and subject.
func (f *Finding) Kind() string { return f.Rule + " " + f.Subject }

// Lost reports whether the mistake made Turnwire drop an event, all or in part.
// Lines that are not JSON lose nothing: they are taken for messages to people.
func (f *Finding) Lost() bool {
	switch f.Rule {
	case "unknown-event":
		return f.Severity == Error // a warning is about an event of the agent's own
	case "bad-json", "pretty-json", "json-array", "not-an-object", "no-type", "utf16", "too-long",
		"malformed-event", "wrong-member", "missing-member", "misspelt-member", "unknown-value", "wrong-turn":
		return true
	}
	return false
}

// String returns the finding as one sentence, for logs and users.
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

// How much of a line is kept around the faulty place, in bytes.
const (
	keptBefore = 300
	keptAfter  = 600
)

// at returns the finding with the bytes from..to of the line marked.
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
