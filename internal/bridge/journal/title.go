package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/visible"
)

const (
	// maxTitle bounds a title, in bytes, and maxTitleFile the file with it.
	maxTitle     = 1 << 10
	maxTitleFile = 16 << 10
)

// title is the text of a title's file.
type title struct {
	Title  string `json:"title"`
	ByUser bool   `json:"byUser,omitempty"`
}

// readTitle returns the title of a session. It is empty where it cannot be read:
// it is only for lists.
func (p place) readTitle() (t title) {
	text, err := atomicfile.Read(p.title(), maxTitleFile)
	if err != nil || exactjson.Unmarshal(text, &t) != nil {
		return title{}
	}
	return t
}

// ShortTitle is as much of a title as is kept.
func ShortTitle(title string) string {
	if len(title) > maxTitle {
		return strings.ToValidUTF8(title[:maxTitle], "")
	}
	return title
}

func (p place) retitle(text string, byUser bool) error {
	if !byUser && p.readTitle().ByUser {
		return nil
	}
	raw, err := json.Marshal(title{ShortTitle(text), byUser})
	if err != nil {
		return fmt.Errorf("keep the title of the session: %w", err)
	}
	// A file that is replaced keeps its mode.
	empty, err := os.OpenFile(p.title(), os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		err = errors.Join(empty.Close(), atomicfile.Write(p.title(), raw))
	}
	if err != nil {
		return fmt.Errorf("keep the title of the session: %w", err)
	}
	return nil
}

// maxTitleLength bounds a title that is made of a prompt, in characters.
const maxTitleLength = 80

// maxEmpty bounds the file of a session in which nothing was said, in bytes.
const maxEmpty = 1 << 20

// firstPrompt returns the title of a session that nobody has named: the first
// line of its first prompt that says something. ok is false where no prompt is
// found.
func firstPrompt(file io.ReaderAt) (title string, ok bool) {
	l := lines{in: bufio.NewReaderSize(io.NewSectionReader(file, 0, maxHeader), 4<<10), limit: maxHeader}
	for {
		line, err := l.next()
		if err != nil {
			return "", false
		}
		if r, err := ParseRecord(line); err == nil && r.Type == TypePrompt {
			return PromptTitle(r), true
		}
	}
}

// PromptTitle returns the title that a prompt gives to a session that nobody has
// named. It is empty where the prompt has no text.
func PromptTitle(prompt Record) string {
	var p struct {
		Text string `json:"text"`
	}
	_ = exactjson.Unmarshal(prompt.Data, &p) // what cannot be read has no title
	return firstLine(p.Text)
}

func firstLine(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(visible.Text(line)), " ")
		if line == "" {
			continue
		}
		if runes := []rune(line); len(runes) > maxTitleLength {
			line = strings.TrimSpace(string(runes[:maxTitleLength-1])) + "…"
		}
		return line
	}
	return ""
}
