package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/protocol/toolcall"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// A Call is a tool call with all of its updates merged.
type Call struct {
	v1.ToolCallFields
	Decisions []Decision

	printed []byte // a command's output, for clients that show terminals
	exit    float64
}

// Members of _meta. ACP agents use the first two to send the output of a command.
const (
	outputMeta    = "terminal_output"
	exitMeta      = "terminal_exit"
	durationMeta  = "turnwire.dev/durationMs"
	exitCodeMeta  = "turnwire.dev/exitCode"
	cancelledMeta = "turnwire.dev/cancelled"
)

// merge applies an update to the call.
func (c *Call) merge(f *v1.ToolCallFields) {
	toolcall.Merge(&c.ToolCallFields, owned(f))
	if output, ok := f.Meta[outputMeta].(map[string]any); ok {
		data, _ := output["data"].(string)
		c.printed = append(c.printed, data...)
	}
	if exit, ok := f.Meta[exitMeta].(map[string]any); ok {
		c.exit, _ = exit["exit_code"].(float64)
	}
}

// owned returns a copy of fields that remains valid. Texts and raw values may be part of
// a record, which is only valid until the next one is read.
func owned(f *v1.ToolCallFields) *v1.ToolCallFields {
	own := *f
	own.RawInput, own.RawOutput = bytes.Clone(f.RawInput), bytes.Clone(f.RawOutput)
	own.Content = slices.Clone(f.Content)
	for i, item := range own.Content {
		content, ok := item.(*v1.ContentItem)
		if !ok {
			continue
		}
		if text, ok := content.Content.(*v1.TextBlock); ok {
			own.Content[i] = v1.TextItem(text.Text.Clone())
		}
	}
	return &own
}

// Caption describes the call in one line.
func (c *Call) Caption() string {
	for _, s := range []string{c.Title, c.Name, string(c.Kind)} {
		if s = oneLine(s); s != "" {
			return s
		}
	}
	return "tool"
}

// State returns how the call ended: "done", "failed", "refused", "cancelled" or
// "unfinished".
func (c *Call) State() string {
	last := agent.AllowOnce
	if n := len(c.Decisions); n > 0 && c.Status != v1.StatusCompleted {
		last = c.Decisions[n-1].Decision
	}
	switch {
	case last == agent.NotDecided:
		return "cancelled"
	case !last.Allows():
		return "refused"
	case c.Meta[cancelledMeta] == true:
		return "cancelled"
	case c.Status == v1.StatusCompleted:
		return "done"
	case c.Status == v1.StatusFailed:
		return "failed"
	}
	return "unfinished"
}

// text describes the decision.
func (d Decision) text() string {
	switch {
	case d.Reason != "":
		return "denied without asking: " + oneLine(d.Reason)
	case d.Decision == agent.AllowOnce:
		return "allowed once"
	case d.Decision == agent.AllowAlways:
		return "allowed always"
	case d.Decision == agent.NotDecided:
		return "not answered"
	}
	return "refused"
}

// facts summarises the result of the call in a few words.
func (c *Call) facts() []string {
	facts := []string{c.State()}
	if ms, ok := c.Meta[durationMeta].(float64); ok && ms > 0 && ms < 1e12 {
		facts = append(facts, time.Duration(ms*float64(time.Millisecond)).Round(100*time.Microsecond).String())
	}
	code := c.exit
	if own, ok := c.Meta[exitCodeMeta].(float64); ok {
		code = own
	}
	if code != 0 {
		facts = append(facts, fmt.Sprintf("exit code %.0f", code))
	}
	for _, d := range c.Decisions {
		if text := d.text(); text != facts[0] {
			facts = append(facts, text)
		}
	}
	return facts
}

// input returns the tool's input: its command, or the whole input unless a diff shows it.
func (c *Call) input() (text, language string) {
	if command := consent.Command(c.RawInput); command != "" {
		return visible.Text(command), "sh"
	}
	var pretty bytes.Buffer
	if len(c.diffs()) > 0 || len(c.RawInput) == 0 || json.Indent(&pretty, c.RawInput, "", "  ") != nil || pretty.String() == "{}" {
		return "", ""
	}
	return visible.Text(pretty.String()), "json"
}

func (c *Call) diffs() []*v1.DiffItem {
	var diffs []*v1.DiffItem
	for _, item := range c.Content {
		if d, ok := item.(*v1.DiffItem); ok {
			diffs = append(diffs, d)
		}
	}
	return diffs
}

// output returns the call's text output, and its other blocks.
func (c *Call) output() (text string, blocks []v1.Block) {
	var texts []string
	shown := len(c.printed) == 0
	for _, item := range c.Content {
		if _, ok := item.(*v1.TerminalItem); ok && !shown {
			shown = true
			texts = append(texts, string(c.printed))
		}
		content, ok := item.(*v1.ContentItem)
		if !ok {
			continue
		}
		block, ok := content.Content.(*v1.TextBlock)
		if !ok {
			blocks = append(blocks, content.Content)
			continue
		}
		if s := unquoted(block.Text.String()); s != "" {
			texts = append(texts, s)
		}
	}
	if len(texts) == 0 && !shown {
		texts = append(texts, string(c.printed))
	}
	if len(c.Content) == 0 && len(texts) == 0 {
		texts = append(texts, rawText(c.RawOutput))
	}
	for i, text := range texts {
		texts[i] = printable(text)
	}
	return strings.Join(texts, "\n"), blocks
}

// rawText formats raw output. A string is returned unchanged, and anything else as JSON.
// It returns "" for an empty object.
func rawText(raw json.RawMessage) string {
	var text string
	if exactjson.Unmarshal(raw, &text) == nil {
		return text
	}
	var pretty bytes.Buffer
	if json.Indent(&pretty, raw, "", "  ") != nil || pretty.String() == "{}" {
		return ""
	}
	return pretty.String()
}

// unquoted returns the content of s if s is a single code block, or else s.
func unquoted(s string) string {
	fence := s[:len(s)-len(strings.TrimLeft(s, "`"))]
	if len(fence) < 3 {
		return s
	}
	_, inner, ok := strings.Cut(s, "\n")
	if !ok {
		return s
	}
	if inner, ok = strings.CutSuffix(strings.TrimSuffix(inner, "\n"), "\n"+fence); ok {
		return inner
	}
	return s
}

// styles matches the control sequences that programs use to colour their output and to
// set window titles.
var styles = lazyregexp.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)")

// printable converts a program's output to plain text.
func printable(s string) string {
	s = strings.ReplaceAll(styles().ReplaceAllString(s, ""), "\r\n", "\n")
	return strings.TrimRight(visible.Text(s), "\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(visible.Text(s)), " ") }
