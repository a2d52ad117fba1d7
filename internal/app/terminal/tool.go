package terminal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// A toolCall holds what is known about a tool call so far.
type toolCall struct {
	v1.ToolCallFields
	began     time.Time
	announced bool
	proposed  []string // the rows of its diffs, as shown with the permission request
	refused   bool
	rows      []string // the text result
	printed   string   // a command's output; see hear
	exitCode  float64
}

// merge applies an update to the call.
func (t *toolCall) merge(f *v1.ToolCallFields) {
	toolcall.Merge(&t.ToolCallFields, f)
	if f.Content != nil {
		t.rows = nil
	}
	t.addOutput(f.Meta)
}

func (t *toolCall) finished() bool {
	return t.Status == v1.StatusCompleted || t.Status == v1.StatusFailed
}

// caption describes the call in one line.
func (t *toolCall) caption() string {
	for _, s := range []string{t.Title, t.Name, string(t.Kind)} {
		if s = strings.Join(strings.Fields(visible.Text(s)), " "); s != "" {
			return s
		}
	}
	return "tool"
}

// proposal shows everything that the call would do: its diffs and its command, or else
// the whole input, and the reasons given. Nothing is truncated.
func (t *toolCall) proposal(st style) []string {
	t.proposed = t.diffs(st)
	command := t.command(st)
	does := slices.Concat(t.proposed, command)
	rows := slices.Concat(does, t.reasons(len(command) > 0))
	var pretty bytes.Buffer
	if len(does) == 0 && !t.quotes() && len(t.RawInput) > 0 && json.Indent(&pretty, t.RawInput, "", "  ") == nil && pretty.String() != "{}" {
		rows = append(rows, splitLines(visible.Text(pretty.String()))...)
	}
	return rows
}

// reasons returns the other text of a request. It omits a code block that repeats the
// command.
func (t *toolCall) reasons(hasCommand bool) []string {
	var rows []string
	for _, c := range t.Content {
		text, ok := textOf(c)
		block, quoted := quotedBlock(text)
		switch {
		case !ok, quoted && hasCommand:
		case quoted:
			rows = append(rows, splitLines(visible.Text(block))...)
		default:
			rows = append(rows, splitLines(visible.Text(text))...)
		}
	}
	return rows
}

// quotes reports whether a text of the call is a code block, such as the text that it
// would write.
func (t *toolCall) quotes() bool {
	return slices.ContainsFunc(t.Content, func(c v1.ToolContent) bool {
		text, _ := textOf(c)
		_, quoted := quotedBlock(text)
		return quoted
	})
}

// quotedBlock returns the content of text if text is a single code block.
func quotedBlock(text string) (block string, ok bool) {
	fence := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	inner, ok := strings.CutPrefix(text, fence+"\n")
	if ok {
		inner, ok = strings.CutSuffix(inner, "\n"+fence)
	}
	return inner, ok && len(fence) >= 3
}

func textOf(c v1.ToolContent) (text string, ok bool) {
	item, ok := c.(*v1.ContentItem)
	if !ok {
		return "", false
	}
	block, ok := item.Content.(*v1.TextBlock)
	if !ok {
		return "", false
	}
	return block.Text.String(), true
}

// command shows the call's command, if it has one.
func (t *toolCall) command(st style) []string {
	var input struct {
		Cwd string `json:"cwd"`
	}
	if exactjson.Unmarshal(t.RawInput, &input) != nil {
		return nil
	}
	rows := splitLines(visible.Text(consent.Command(t.RawInput)))
	for i, row := range rows {
		if i == 0 {
			rows[i] = st.accent("$ ") + row
		} else {
			rows[i] = "  " + row
		}
	}
	if len(rows) > 0 && input.Cwd != "" {
		rows = append(rows, st.dim("in "+visible.Text(input.Cwd)))
	}
	return rows
}

func (t *toolCall) diffs(st style) []string {
	var rows []string
	for _, c := range t.Content {
		if d, ok := c.(*v1.DiffItem); ok {
			rows = append(rows, diffRows(st, d)...)
		}
	}
	return rows
}

// text returns the lines of the call's content, without control sequences.
func (t *toolCall) text() []string {
	if t.rows != nil {
		return t.rows
	}
	rows := []string{}
	for _, c := range t.Content {
		switch c := c.(type) {
		case *v1.ContentItem:
			rows = append(rows, blockRows(c.Content)...)
		case *v1.TerminalItem:
			if t.printed == "" {
				rows = append(rows, "terminal "+cleanLine(c.TerminalID))
			} else if len(rows) == 0 {
				rows = append(rows, t.printedRows()...)
			}
		}
	}
	if len(rows) == 0 {
		rows = append(rows, t.printedRows()...)
	}
	t.rows = rows
	return rows
}

// blockRows shows a block as lines. A block that a terminal can't show is only named.
func blockRows(b v1.Block) []string {
	switch b := b.(type) {
	case *v1.TextBlock:
		text := b.Text.String()
		if block, ok := quotedBlock(text); ok {
			text = block
		}
		return outputRows(text)
	case *v1.ImageBlock:
		return []string{fmt.Sprintf("[image, %s]", cleanLine(b.MIMEType))}
	case *v1.AudioBlock:
		return []string{fmt.Sprintf("[audio, %s]", cleanLine(b.MIMEType))}
	case *v1.ResourceLink:
		return []string{fmt.Sprintf("[%s] %s", cleanLine(b.Name), cleanLine(b.URI))}
	case *v1.EmbeddedResource:
		if b.Resource.Text != nil {
			return outputRows(*b.Resource.Text)
		}
		return []string{fmt.Sprintf("[resource] %s", cleanLine(b.Resource.URI))}
	}
	return nil
}

// outputRows shows a program's output. A carriage return restarts the line, as progress
// bars do.
func outputRows(text string) []string {
	rows := splitLines(strings.ReplaceAll(text, "\r\n", "\n"))
	for i, row := range rows {
		row = strings.TrimRight(row, "\r")
		rows[i] = clean(row[strings.LastIndexByte(row, '\r')+1:])
	}
	return rows
}

// bound keeps the first and last rows, limit in all.
func bound(st style, rows []string, limit int) []string {
	if len(rows) <= limit {
		return rows
	}
	head := limit / 3
	tail := limit - head - 1
	gap := st.dim(fmt.Sprintf("… %d more lines", len(rows)-head-tail))
	out := append([]string{}, rows[:head]...)
	return append(append(out, gap), rows[len(rows)-tail:]...)
}
