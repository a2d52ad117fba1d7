package transcript

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

// Markdown writes a session as a Markdown document. The agent's messages are written as
// Markdown, and everything else is quoted.
func Markdown(w io.Writer, s journal.Summary, items iter.Seq2[Item, error]) error {
	m := markdown{bufio.NewWriter(w)}
	m.printf("# %s\n\n", escaped(title(s)))
	for _, f := range facts(s) {
		m.printf("- %s: %s\n", f[0], escaped(f[1]))
	}
	for i, err := range items {
		if err != nil {
			return err
		}
		m.item(&i)
	}
	return m.out.Flush()
}

type markdown struct{ out *bufio.Writer }

// printf ignores errors: Flush returns the first one.
func (m markdown) printf(format string, args ...any) { fmt.Fprintf(m.out, format, args...) }

func (m markdown) item(i *Item) {
	switch i.Kind {
	case Prompt:
		m.printf("\n## You\n\n")
		if at := clock(i.Time); at != "" {
			m.printf("*%s*\n\n", at)
		}
		m.quote(i.Text)
		m.blocks(i.Blocks)
	case Message:
		if i.Text != "" {
			m.printf("\n%s\n", closed(visible.Text(i.Text)))
		}
		m.blocks(i.Blocks)
	case Thought:
		m.printf("\n<details><summary>Thought</summary>\n\n")
		m.fenced(visible.Text(i.Text), "")
		m.printf("\n</details>\n")
	case ToolCall:
		m.call(i.Call)
	case Plan:
		m.printf("\n**Plan**\n\n")
		for _, e := range i.Plan {
			mark := " "
			if e.Status == "completed" {
				mark = "x"
			}
			m.printf("- [%s] %s\n", mark, escaped(oneLine(e.Content)))
		}
	case Notice:
		m.notice(i.Notice)
	case Asked:
		m.printf("\n**Question:** %s\n\n", escaped(oneLine(i.Question.Text)))
		if !i.Question.Answered {
			m.printf("*Not answered here.*\n")
			return
		}
		m.quote(i.Question.Answer)
	case Ended:
		if text := i.End.ending(); text != "" {
			m.printf("\n*%s*\n", escaped(text))
		}
	}
}

func (m markdown) call(c *Call) {
	m.printf("\n### %s\n\n*%s*\n", escaped(c.Caption()), escaped(strings.Join(c.facts(), ", ")))
	if text, language := c.input(); text != "" {
		m.printf("\n")
		m.fenced(text, language)
	}
	for _, d := range c.diffs() {
		m.printf("\n")
		m.fenced(unified(d), "diff")
	}
	text, blocks := c.output()
	if text != "" {
		m.printf("\n")
		m.fenced(text, "")
	}
	m.blocks(blocks)
}

func (m markdown) notice(n *v1.Notice) {
	m.printf("\n> **%s:** %s\n", escaped(oneLine(n.Severity)), escaped(oneLine(n.Title)))
	if n.Description != "" {
		m.printf(">\n")
		m.quote(n.Description)
	}
}

// quote writes text as a block quote. Tags are escaped.
func (m markdown) quote(text string) {
	for line := range strings.Lines(strings.ReplaceAll(visible.Text(text), "<", `\<`)) {
		m.printf("> %s\n", strings.TrimSuffix(line, "\n"))
	}
}

// fenced writes a code block, with a fence that is longer than any in text.
func (m markdown) fenced(text, language string) {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.printf("%s%s\n%s\n%s\n", fence, language, strings.TrimSuffix(text, "\n"), fence)
}

// blocks names the blocks that are not text.
func (m markdown) blocks(blocks []v1.Block) {
	for _, b := range blocks {
		what, title := name(b)
		m.printf("\n*[%s: %s]*\n", what, escaped(oneLine(title)))
	}
}

// closed ends a code block that a message left open, which would otherwise swallow the
// rest of the document.
func closed(text string) string {
	open := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		mark := ""
		for _, c := range "`~" {
			if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
				mark = line[:n]
			}
		}
		switch {
		case mark == "":
		case open == "":
			open = mark
		case strings.HasPrefix(mark, open) && mark == line:
			open = ""
		}
	}
	if open == "" {
		return text
	}
	return strings.TrimSuffix(text, "\n") + "\n" + open
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

var markup = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `~`, `\~`, `&`, `\&`, `!`, `\!`,
)

// escaped escapes markup in a single line of text.
func escaped(s string) string { return markup.Replace(s) }
