package workspace

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxList limits how many entries of a directory are listed.
const maxList = 1000

// listStep lists a directory.
type listStep struct{ path string }

func (s listStep) run(t *turn) outcome {
	c := t.newCall("list_directory", pathArgs{s.path}, agent.View{Title: "List " + shorten(s.path, 80), Kind: "read"})
	p, err := t.session.files.find(s.path)
	if err != nil {
		c.start()
		return c.fail(err)
	}
	c.view.Locations = []agent.Location{{Path: p.path()}}
	c.start()
	entries, all, err := p.readDir(maxList)
	if err != nil {
		return c.fail(err)
	}
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(listed(e) + "\n")
	}
	switch {
	case !all:
		fmt.Fprintf(&b, "Only the first %d entries are listed.\n", maxList)
	case len(entries) == 0:
		b.WriteString("The directory is empty.\n")
	}
	return c.answer(b.String(), "")
}

// listed returns the line for a directory entry.
func listed(e fs.DirEntry) string {
	switch {
	case e.IsDir():
		return e.Name() + "/"
	case e.Type()&fs.ModeSymlink != 0:
		return e.Name() + " (symbolic link)"
	case !e.Type().IsRegular():
		return e.Name() + " (special file)"
	}
	info, err := e.Info()
	if err != nil {
		return e.Name()
	}
	return e.Name() + " (" + sizeText(info.Size()) + ")"
}
