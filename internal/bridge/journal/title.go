package journal

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/visible"
)

const (
	// maxTitle bounds a title, and maxTitleFile its file, in bytes.
	maxTitle     = 1 << 10
	maxTitleFile = 16 << 10
)

// title is the content of a title file.
type title struct {
	Title  string `json:"title"`
	ByUser bool   `json:"byUser,omitempty"`
}

// readTitle returns a session's title. It returns an empty title if the file cannot be
// read, because the title is only for lists.
func (p place) readTitle() (t title) {
	text, err := p.files.ReadWhole(p.title(), maxTitleFile)
	if err != nil || exactjson.Unmarshal(text, &t) != nil {
		return title{}
	}
	return t
}

// ShortTitle truncates a title to the length that is saved.
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
		return fmt.Errorf("save the session's title: %w", err)
	}
	if err := p.files.Replace(p.title(), raw); err != nil {
		return fmt.Errorf("save the session's title: %w", err)
	}
	return nil
}

// maxTitleLength bounds a title derived from a prompt, in characters.
const maxTitleLength = 80

// maxEmpty bounds the file of a session that counts as empty, in bytes.
const maxEmpty = 1 << 20

// firstPrompt returns the title derived from a session's first prompt. ok is false if
// no prompt is found.
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

// PromptTitle derives a title from a prompt: the first line that is not blank. It
// returns "" if the prompt has no text.
func PromptTitle(prompt Record) string {
	var p struct {
		Text string `json:"text"`
	}
	_ = exactjson.Unmarshal(prompt.Data, &p) // an unreadable prompt has no title
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
