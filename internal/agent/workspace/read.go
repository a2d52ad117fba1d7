package workspace

import (
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// readStep reads a file.
type readStep struct{ path string }

type pathArgs struct {
	Path string `json:"path"`
}

// infoString returns the language of a code block with a file's text: the file name's
// extension, if that is a plain word.
func infoString(path string) string {
	extension := strings.TrimPrefix(filepath.Ext(path), ".")
	for _, r := range extension {
		if (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return ""
		}
	}
	return extension
}

func (s readStep) run(t *turn) outcome {
	c := t.newCall("read_file", pathArgs{s.path}, agent.View{Title: "Read " + shorten(s.path, 80), Kind: "read"})
	p, err := t.session.files.find(s.path)
	if err != nil {
		c.start()
		return c.fail(err)
	}
	c.view.Locations = []agent.Location{{Path: p.path()}}
	c.start()
	v, err := t.session.files.load(t.ctx, p)
	if err == nil && !v.exists {
		err = p.explain(errMissing)
	}
	if err != nil {
		return c.fail(err)
	}
	return c.answer(v.text, infoString(s.path))
}
