package ahphost

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"strings"
)

// maxContents bounds the stored texts, in bytes. The oldest are dropped first.
const maxContents = 32 << 20

// contentScheme is the scheme of texts that are not in a file: the sides of edits.
const contentScheme = "turnwire-content:/"

// contents are texts that clients can read, by hash. The host's mutex guards them.
type contents struct {
	texts map[string]string
	order []string
	size  int
}

// keep stores the text of a file and returns its URI. The URI ends in the file's name,
// because VS Code shows that.
func (c *contents) keep(file, text string) string {
	sum := sha256.Sum256([]byte(text))
	id := hex.EncodeToString(sum[:16])
	if _, there := c.texts[id]; !there {
		if c.texts == nil {
			c.texts = make(map[string]string)
		}
		c.texts[id] = text
		c.order = append(c.order, id)
		c.size += len(text)
		for c.size > maxContents && len(c.order) > 1 {
			c.size -= len(c.texts[c.order[0]])
			delete(c.texts, c.order[0])
			c.order = c.order[1:]
		}
	}
	return contentScheme + id + "/" + url.PathEscape(path.Base(strings.ReplaceAll(file, `\`, "/")))
}

// text returns a stored text.
func (c *contents) text(uri string) (text string, ok bool) {
	rest, ok := strings.CutPrefix(uri, contentScheme)
	if !ok {
		return "", false
	}
	id, _, _ := strings.Cut(strings.TrimLeft(rest, "/"), "/")
	text, ok = c.texts[id]
	return text, ok
}
