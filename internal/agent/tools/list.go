package tools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// maxList limits how many entries of a directory, or matches of a glob, are listed.
const maxList = 1000

// A ListArgs is the arguments of [ListFiles].
type ListArgs struct {
	Path string `json:"path,omitempty"` // a directory; the working directory by default
	Glob string `json:"glob,omitempty"` // lists the matching files of the workspace instead
}

type listTask ListArgs

func (k listTask) view() agent.View {
	if k.Glob != "" {
		return agent.View{Title: "List " + Shorten(k.Glob, 80), Kind: "search"}
	}
	return agent.View{Title: "List " + Shorten(k.dir(), 80), Kind: "read"}
}

func (k listTask) dir() string {
	if k.Path == "" {
		return "."
	}
	return k.Path
}

func (k listTask) run(c *call) Result {
	if k.Glob != "" {
		return k.match(c)
	}
	p, err := c.reach(k.dir(), 0)
	if err != nil {
		return c.fail(err)
	}
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
	return c.succeed(b.String())
}

// match lists the files that match the glob.
func (k listTask) match(c *call) Result {
	c.start()
	pattern := k.Glob
	if k.Path != "" {
		pattern = strings.TrimSuffix(k.Path, "/") + "/" + strings.TrimPrefix(pattern, "/")
	}
	g, err := newGlob(pattern)
	if err != nil {
		return c.fail(err)
	}
	var b strings.Builder
	found := 0
	all, err := c.box.files.walk(c.turn.Context(), func(p location, e fs.DirEntry) error {
		if e.IsDir() || !g.matches(p) {
			return nil
		}
		if found == maxList {
			return errEnough
		}
		found++
		b.WriteString(p.name() + "\n")
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		fmt.Fprintf(&b, "Only the first %d files are listed.\n", maxList)
	case err != nil:
		return c.fail(listError(c.turn.Context(), err))
	case found == 0:
		b.WriteString("No file matches.\n")
	}
	if err == nil && !all {
		b.WriteString("The project is too large: there may be more matches.\n")
	}
	return c.succeed(b.String())
}

func listError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("list: %w", err)
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
	return e.Name() + " (" + Size(info.Size()) + ")"
}
