package transcript

import (
	"bufio"
	_ "embed"
	"fmt"
	"html"
	"io"
	"iter"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
)

//go:embed page.css
var css string

// HTML writes a session as one self-contained file without scripts. It follows the
// reader's preference for light or dark.
func HTML(w io.Writer, s journal.Summary, items iter.Seq2[Item, error]) error {
	p := page{bufio.NewWriter(w)}
	name := text(title(s))
	p.printf(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>
%s</style>
</head>
<body>
<header>
<h1 dir="auto">%s</h1>
<dl>
`, name, css, name)
	for _, f := range facts(s) {
		p.printf("<div><dt>%s</dt><dd>%s</dd></div>\n", f[0], text(f[1]))
	}
	p.printf("</dl>\n</header>\n<main>\n")
	for i, err := range items {
		if err != nil {
			return err
		}
		p.item(&i)
	}
	p.printf("</main>\n</body>\n</html>\n")
	return p.out.Flush()
}

type page struct{ out *bufio.Writer }

// printf ignores errors: Flush returns the first one.
func (p page) printf(format string, args ...any) { fmt.Fprintf(p.out, format, args...) }

// text escapes markup, and makes hidden characters visible.
func text(s string) string { return html.EscapeString(visible.Text(s)) }

func (p page) item(i *Item) {
	switch i.Kind {
	case Prompt:
		p.printf(`<section class="prompt"><h2>You%s</h2><div class="text" dir="auto">%s</div>`, stamp(i), text(i.Text))
		p.blocks(i.Blocks)
		p.printf("</section>\n")
	case Message:
		p.printf(`<section class="message">`)
		p.prose(i.Text)
		p.blocks(i.Blocks)
		p.printf("</section>\n")
	case Thought:
		p.printf(`<details class="thought"><summary>Thought</summary><div class="text" dir="auto">%s</div></details>`+"\n", text(i.Text))
	case ToolCall:
		p.call(i.Call)
	case Plan:
		p.printf(`<section class="plan"><h3>Plan</h3><ul>`)
		for _, e := range i.Plan {
			p.printf(`<li class="%s" dir="auto">%s</li>`, planClass(e.Status), text(oneLine(e.Content)))
		}
		p.printf("</ul></section>\n")
	case Notice:
		p.printf(`<section class="notice %s"><strong dir="auto">%s</strong>`, noticeClass(i.Notice.Severity), text(oneLine(i.Notice.Title)))
		if i.Notice.Description != "" {
			p.printf(`<div class="text" dir="auto">%s</div>`, text(i.Notice.Description))
		}
		p.printf("</section>\n")
	case Asked:
		answer := `<em>Not answered here.</em>`
		if i.Question.Answered {
			answer = `<div class="text" dir="auto">` + text(i.Question.Answer) + `</div>`
		}
		p.printf(`<section class="question"><h3 dir="auto">%s</h3>%s</section>`+"\n", text(i.Question.Text), answer)
	case Ended:
		if why := i.End.ending(); why != "" {
			p.printf(`<p class="end">%s</p>`+"\n", text(why))
		}
	}
}

func stamp(i *Item) string {
	if i.Time.IsZero() {
		return ""
	}
	return ` <time>` + clock(i.Time) + `</time>`
}

// prose writes a message. Code blocks are formatted as code, and everything else is
// written unchanged.
func (p page) prose(s string) {
	var paragraph, code []string
	fence := ""
	end := func() {
		if body := strings.Trim(strings.Join(paragraph, ""), "\n"); body != "" {
			p.printf(`<div class="text" dir="auto">%s</div>`, text(body))
		}
		paragraph = nil
	}
	block := func() {
		p.printf(`<pre>%s</pre>`, text(strings.Join(code, "")))
		code, fence = nil, ""
	}
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			end()
			fence = mark
		case fence != "" && mark == trimmed && strings.HasPrefix(mark, fence):
			block()
		case fence != "":
			code = append(code, line)
		default:
			paragraph = append(paragraph, line)
		}
	}
	if fence != "" {
		block()
	}
	end()
}

func (p page) call(c *Call) {
	open := ""
	if len(c.diffs()) > 0 || c.State() != "done" {
		open = " open"
	}
	p.printf(`<details class="call %s"%s><summary><span class="mark"></span><span class="caption" dir="auto">%s</span> <span class="facts">%s</span></summary>`,
		c.State(), open, text(c.Caption()), text(strings.Join(c.facts(), ", ")))
	if input, _ := c.input(); input != "" {
		p.printf(`<pre class="input">%s</pre>`, text(input))
	}
	for _, d := range c.diffs() {
		p.diff(d)
	}
	output, blocks := c.output()
	if output != "" {
		p.printf(`<pre class="output">%s</pre>`, text(output))
	}
	p.blocks(blocks)
	p.printf("</details>\n")
}

func (p page) diff(d *v1.DiffItem) {
	p.printf(`<figure class="diff"><figcaption>%s</figcaption><pre>`, text(oneLine(d.Path)))
	for _, l := range diffLines(d) {
		class := map[byte]string{'+': "added", '-': "removed", '@': "gap"}[l.mark]
		if class == "" {
			p.printf("  %s\n", text(l.text))
			continue
		}
		mark := string(l.mark)
		if l.mark == '@' {
			mark = " "
		}
		p.printf(`<span class="%s">%s %s</span>`+"\n", class, mark, text(l.text))
	}
	p.printf("</pre></figure>")
}

// pictures are the types of images that are shown. These formats can contain nothing
// else, such as scripts.
var pictures = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// blocks shows images, and names other blocks that are not text. It creates no links, so
// a page opened from a file fetches nothing, whatever the agent refers to.
func (p page) blocks(blocks []v1.Block) {
	for _, b := range blocks {
		if image, ok := b.(*v1.ImageBlock); ok && pictures[image.MIMEType] && isBase64(image.Data) {
			p.printf(`<img alt="image" src="data:%s;base64,%s">`, image.MIMEType, image.Data)
			continue
		}
		what, title := name(b)
		p.printf(`<p class="block">[%s: %s]</p>`, what, text(oneLine(title)))
		if r, ok := b.(*v1.EmbeddedResource); ok && r.Resource.Text != nil {
			p.printf(`<pre>%s</pre>`, text(*r.Resource.Text))
		}
	}
}

func isBase64(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=") == ""
}

func planClass(s v1.PlanEntryStatus) string {
	switch s {
	case "completed":
		return "completed"
	case "in_progress":
		return "running"
	}
	return "pending"
}

func noticeClass(severity string) string {
	switch severity {
	case "error", "warning":
		return severity
	}
	return "info"
}
