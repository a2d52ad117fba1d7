package child

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	tailLimit = 4 << 10 // how much of stderr is kept
	lineLimit = 4 << 10 // longer lines are logged in pieces

	// In each period, this many lines appear in the log at its default level, each
	// up to this many bytes. The rest is logged at debug level.
	usualLines  = 50
	usualLine   = 500
	usualPeriod = time.Minute
)

// tail receives stderr, logs its lines and keeps its end.
type tail struct {
	log   *slog.Logger
	strip stripper
	line  []byte // an incomplete line; used only by the writer

	// State of the current period, used only by the writer.
	began  time.Time
	usual  int  // lines that were logged at the default level
	inLine bool // the last piece did not end its line

	mu   sync.Mutex
	text []byte
}

func newTail(log *slog.Logger) *tail { return &tail{log: log} }

// Write never fails.
func (t *tail) Write(p []byte) (int, error) {
	text := t.strip.append(nil, p)
	t.keep(text)
	if t.log.Enabled(context.Background(), slog.LevelInfo) {
		t.logLines(text)
	}
	return len(p), nil
}

func (t *tail) keep(text []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, text[max(0, len(text)-tailLimit):]...)
	if excess := len(t.text) - tailLimit; excess > 0 {
		t.text = t.text[:copy(t.text, t.text[excess:])]
	}
}

func (t *tail) logLines(text []byte) {
	t.line = append(t.line, text...)
	for {
		end := bytes.IndexByte(t.line, '\n')
		if end < 0 && len(t.line) >= lineLimit {
			end = lineLimit - 1
		}
		if end < 0 {
			return
		}
		t.logLine(t.line[:end+1])
		t.line = t.line[:copy(t.line, t.line[end+1:])]
	}
}

// flush logs a final line without a newline.
func (t *tail) flush() {
	t.logLine(t.line)
	t.line = nil
}

// logLine logs a line or a piece of one. The first ones of a period are logged at
// the default level.
func (t *tail) logLine(line []byte) {
	goesOn := t.inLine
	t.inLine = len(line) > 0 && line[len(line)-1] != '\n'
	text := strings.TrimRight(clean(line), "\n ")
	if text == "" {
		return
	}
	if now := time.Now(); now.Sub(t.began) >= usualPeriod {
		t.began, t.usual = now, 0
	}
	if goesOn || t.usual > usualLines {
		t.log.Debug("the child wrote to stderr", "line", text)
		return
	}
	if t.usual++; t.usual > usualLines {
		t.log.Info("the child writes a lot to stderr; log level debug shows all of it")
		t.log.Debug("the child wrote to stderr", "line", text)
		return
	}
	if len(text) > usualLine && !t.log.Enabled(context.Background(), slog.LevelDebug) {
		text = strings.ToValidUTF8(text[:usualLine], "") + "…"
	}
	t.log.Info("the child wrote to stderr", "line", text)
}

// String returns the end of stderr.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.text
	if len(text) == tailLimit { // the cut may have split a character
		for i := 0; i < utf8.UTFMax && len(text) > 0 && !utf8.RuneStart(text[0]); i++ {
			text = text[1:]
		}
	}
	return strings.TrimSpace(clean(text))
}

// Clean prepares a child's output for display: it removes control sequences and
// invisible characters.
func Clean(text []byte) string {
	var strip stripper
	return strings.TrimSpace(clean(strip.append(nil, text)))
}

// clean converts stripped text to valid UTF-8. It removes non-ASCII control
// characters and those that reorder the displayed text.
func clean(text []byte) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case r >= utf8.RuneSelf && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)):
			return -1
		}
		return r
	}, string(text))
}
