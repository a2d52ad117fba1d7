package acp

import (
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// mayBeMarked looks at the first byte alone, because it is asked of each chunk:
// letters, digits and white space begin no mark, and an escape may.
func mayBeMarked(body rawjson.String) bool {
	if len(body) == 0 {
		return false
	}
	c := body[0]
	return c >= 0x80 || c > ' ' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// marked takes a chunk that is no text: a line with the mark of a notice, or
// the reason of an error.
func (d *decoder) marked(text string) bool {
	if mark := d.repairs.ErrorMark; mark != "" {
		reason, ok := strings.CutPrefix(strings.TrimLeft(text, "\n"), mark)
		if ok && strings.TrimSpace(reason) != "" {
			d.deferred = text
			return true
		}
	}
	if !d.echo.atStart() {
		return false
	}
	for mark, severity := range d.repairs.Notices {
		message, ok := strings.CutPrefix(text, mark)
		if !ok {
			continue
		}
		message, ok = strings.CutSuffix(message, "\n")
		if !ok || strings.TrimSpace(message) == "" || strings.Contains(message, "\n") {
			continue
		}
		d.say(&agent.Notice{Severity: severity, Message: message})
		return true
	}
	return false
}

// release gives a held text back as what it looks like: the turn did not end
// with it.
func (d *decoder) release() {
	if d.deferred == "" {
		return
	}
	text := rawjson.Quote(d.deferred)
	d.deferred = ""
	d.echo.add(text)
	d.say(&agent.TextDelta{Text: rawjson.Wrap(text)})
}

// reason is what a held text says, "" where there is none.
func (d *decoder) reason() string {
	reason := strings.TrimPrefix(strings.TrimLeft(d.deferred, "\n"), d.repairs.ErrorMark)
	d.deferred = ""
	return strings.TrimSpace(reason)
}
