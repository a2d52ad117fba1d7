package workspace

import (
	"net/url"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// typedText separates what the user typed from the names of what is
// attached. Only typed text has steps: an attached file may hold anything.
//
// A file that is mentioned in the middle of a line, as editors do with @, is
// an argument of that line; what is attached elsewhere is not.
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

// attachmentURI is where an attached block comes from, if it says so.
func attachmentURI(c agent.Content) string {
	if c.Resource != nil {
		return c.Resource.URI
	}
	return c.URI
}

// attachmentName is what to call an attached block.
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

// attachedFile is the path that a block's file URI stands for, or "".
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

// titleOf makes the title of a session out of its first prompt.
func titleOf(typed string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(typed), "\n")
	return shorten(first, 60)
}
