package terminal

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	bindings "charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"github.com/turnwire/turnwire/internal/lazyregexp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// An input is the field for prompts, with the history of earlier prompts.
type input struct {
	area    textarea.Model
	history []string
	at      int // index in the history; its length for a new prompt
	draft   string
}

func newInput(history []string) input {
	area := textarea.New()
	area.Prompt, area.ShowLineNumbers = "", false
	area.Placeholder = "Enter sends, Alt+Enter adds a line, / lists commands, @ files"
	area.DynamicHeight, area.MinHeight, area.MaxHeight = true, 1, 10
	area.MaxContentHeight = 10_000
	area.KeyMap.InsertNewline = bindings.NewBinding(bindings.WithKeys("alt+enter", "shift+enter", "ctrl+j"))
	styles := textarea.DefaultStyles(true)
	styles.Focused.CursorLine = styles.Focused.Text
	area.SetStyles(styles)
	return input{area: area, history: history, at: len(history)}
}

func (i *input) focus() tea.Cmd { return i.area.Focus() }

func (i *input) resize(width, height int) {
	i.area.MaxHeight = max(1, height/3)
	i.area.SetWidth(width - 4)
}

func (i *input) update(msg tea.Msg) (cmd tea.Cmd) {
	i.area, cmd = i.area.Update(msg)
	return cmd
}

func (i *input) value() string { return i.area.Value() }

func (i *input) set(text string) {
	i.area.SetValue(text)
	i.area.MoveToEnd()
}

// submit empties the input, adds its text to the history, and returns it.
func (i *input) submit() string {
	text := strings.TrimSpace(i.value())
	i.area.Reset()
	if text != "" && (len(i.history) == 0 || i.history[len(i.history)-1] != text) {
		i.history = append(i.history, text)
	}
	i.at = len(i.history)
	return text
}

// older shows the previous prompt in the history, and newer the next one. They report
// whether there was one.
func (i *input) older() bool {
	if i.at == 0 {
		return false
	}
	if i.at == len(i.history) {
		i.draft = i.value()
	}
	i.at--
	i.set(i.history[i.at])
	return true
}

func (i *input) newer() bool {
	if i.at >= len(i.history) {
		return false
	}
	i.at++
	if i.at == len(i.history) {
		i.set(i.draft)
	} else {
		i.set(i.history[i.at])
	}
	return true
}

func (i *input) firstLine() bool { return i.area.Line() == 0 }

func (i *input) lastLine() bool { return i.area.Line() == i.area.LineCount()-1 }

// mention matches an @ and the word after it at the end of a text.
var mention = lazyregexp.New(`(?:^|\s)@(\S*)$`)

// files returns the paths of the files that a text mentions. Relative paths start at cwd.
func files(text, cwd string) (found []string) {
	for word := range strings.FieldsSeq(text) {
		name, ok := strings.CutPrefix(word, "@")
		if !ok {
			continue
		}
		for _, name := range []string{name, strings.TrimRight(name, ".,;:!?)")} {
			path := name
			if !filepath.IsAbs(path) {
				path = filepath.Join(cwd, path)
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found = append(found, path)
				break
			}
		}
	}
	return found
}

// images are the extensions of files that are sent to the agent as images.
var images = map[string]bool{".png": true, ".jpg": true, ".jpeg": true, ".gif": true, ".webp": true}

// blocks returns a prompt with the files it mentions.
func (m *chat) blocks(text string, attached []string) (v1.Blocks, error) {
	o := Options{Prompt: text}
	for _, path := range attached {
		if images[strings.ToLower(filepath.Ext(path))] && m.initialized.Capabilities.Prompt.Image {
			o.Images = append(o.Images, path)
		} else {
			o.Attach = append(o.Attach, path)
		}
	}
	return promptBlocks(&m.initialized, &o)
}

// within makes paths below a folder relative to it.
func within(folder string, paths []string) []string {
	short := make([]string, len(paths))
	for i, path := range paths {
		short[i] = path
		if relative, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(relative) {
			short[i] = relative
		}
	}
	return short
}

// spoken shows the prompt that starts a turn, and its attachments.
func (t *transcript) spoken(text string, attached []string) {
	t.interjected(text, attached)
	t.began, t.asked, t.waited = t.now(), time.Time{}, 0
}

// interjected shows the user's message and its attachments.
func (t *transcript) interjected(text string, attached []string) {
	if t.section != sectionNone {
		t.section = sectionEnd // separate it from the previous prompt
	}
	t.begin(sectionPrompt)
	for _, row := range outputRows(text) {
		t.out.print(t.st.bold("> " + row))
	}
	for _, path := range attached {
		t.out.print(t.st.dim("  + " + cleanLine(path)))
	}
}
