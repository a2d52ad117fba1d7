package workspace

import (
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/tools"
)

// typedText separates the text that the user typed from the names of the
// attachments. Only typed text has steps, because an attached file may contain
// anything.
//
// A file that is mentioned in a line, as editors do with @, is an argument of
// that line. Other attachments are not.
func typedText(p agent.Prompt) (typed string, attached []string) {
	if len(p.Blocks) == 0 {
		return p.Text, nil
	}
	var b strings.Builder
	afterText := false
	for _, block := range p.Blocks {
		if block.Type == "text" {
			if afterText {
				b.WriteByte('\n')
			}
			b.WriteString(block.Text)
			afterText = true
			continue
		}
		attached = append(attached, attachmentName(block))
		file := attachedFile(block)
		if file != "" && strings.HasSuffix(b.String(), " ") {
			b.WriteString(quoteWord(file))
			afterText = false
		}
	}
	return b.String(), attached
}

// attachmentURI returns an attached block's URI, or "".
func attachmentURI(c agent.Content) string {
	if c.Resource != nil {
		return c.Resource.URI
	}
	return c.URI
}

// attachmentName returns a name for an attached block.
func attachmentName(c agent.Content) string {
	uri := attachmentURI(c)
	u, err := url.Parse(uri)
	switch {
	case c.Name != "":
		return c.Name
	case err == nil && path.Base(u.Path) != "." && path.Base(u.Path) != "/":
		return path.Base(u.Path)
	case uri != "":
		return uri
	}
	return c.Type
}

// attachedFile returns the path in a block's file URI, or "".
func attachedFile(c agent.Content) string {
	u, err := url.Parse(attachmentURI(c))
	if err != nil || u.Scheme != "file" || strings.ContainsAny(u.Path, "\r\n") {
		return ""
	}
	file := u.Path
	if runtime.GOOS == "windows" {
		file = strings.TrimPrefix(file, "/") // file:///C:/dir has the path /C:/dir
	}
	return filepath.FromSlash(file)
}

// titleOf returns the title for a session with this first prompt.
func titleOf(typed string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(typed), "\n")
	return tools.Shorten(first, 60)
}
