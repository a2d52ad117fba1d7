package ahphost

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

const (
	// maxItems bounds completions, and maxSeen the files that are checked for them.
	maxItems = 50
	maxSeen  = 20_000
)

// An item is a completion that can be inserted into a message.
type item struct {
	InsertText string         `json:"insertText"`
	RangeStart int            `json:"rangeStart"`
	RangeEnd   int            `json:"rangeEnd"`
	Attachment ahp.Attachment `json:"attachment"`
}

// completions lists files after an @, and the agent's commands after a / at the start
// of a message.
func (q *request) completions() {
	var p struct {
		Channel string `json:"channel"`
		Text    string `json:"text"`
		Offset  int    `json:"offset"` // in UTF-16 code units
	}
	if !q.decode(&p) {
		return
	}
	s, _ := q.client.host.sessions.find(p.Channel)
	units := utf16.Encode([]rune(p.Text))
	before := string(utf16.Decode(units[:max(0, min(p.Offset, len(units)))]))
	word := before[strings.LastIndexAny(before, " \t\n")+1:]
	begin := len(utf16.Encode([]rune(before[:len(before)-len(word)])))
	end := begin + len(utf16.Encode([]rune(word)))
	switch {
	case s != nil && strings.HasPrefix(word, "@"):
		folders := s.record.Folders
		q.inBackground(func() (any, error) {
			items := []item{}
			for _, folder := range folders {
				items = append(items, files(folder, strings.ToLower(word[1:]), begin, end)...)
			}
			return map[string]any{"items": items[:min(len(items), maxItems)]}, nil
		})
		return
	case s != nil && strings.HasPrefix(word, "/") && begin == 0:
		q.answer(map[string]any{"items": commands(s.choices.commands(), strings.ToLower(word[1:]), end)})
		return
	}
	q.answer(map[string]any{"items": []item{}})
}

func commands(all []v1.AvailableCommand, typed string, end int) []item {
	items := []item{}
	for _, c := range all {
		if strings.HasPrefix(strings.ToLower(c.Name), typed) && len(items) < maxItems {
			items = append(items, item{
				InsertText: "/" + c.Name + " ", RangeEnd: end,
				Attachment: ahp.Attachment{Type: ahp.AttachSimple, Label: "/" + c.Name, DisplayKind: "command"},
			})
		}
	}
	return items
}

// files returns the files in a folder whose paths contain the typed text. It does not
// follow links.
func files(folder, typed string, begin, end int) (items []item) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil
	}
	defer func() { _ = root.Close() }() // it was only read
	seen := 0
	_ = fs.WalkDir(root.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxSeen || len(items) >= maxItems:
			return fs.SkipAll
		case err != nil:
			return nil //nolint:nilerr // it cannot be read: others can
		case e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules"):
			return fs.SkipDir
		case !e.Type().IsRegular() || !strings.Contains(strings.ToLower(name), typed):
			return nil
		}
		items = append(items, item{
			InsertText: "@" + name, RangeStart: begin, RangeEnd: end,
			Attachment: ahp.Attachment{
				Type: ahp.AttachResource, Label: path.Base(name), DisplayKind: "document",
				URI: ahpmap.FileURI(filepath.Join(folder, filepath.FromSlash(name))),
			},
		})
		return nil
	})
	return items
}
