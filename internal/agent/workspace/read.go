package workspace

import "github.com/turnwire/turnwire/agent"

// readStep reads a file.
type readStep struct{ path string }

type pathArgs struct {
	Path string `json:"path"`
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
	return c.succeed(v.text)
}
