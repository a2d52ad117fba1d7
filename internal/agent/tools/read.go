package tools

import (
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// A ReadArgs is the arguments of [ReadFile].
type ReadArgs struct {
	Path  string `json:"path"`
	Line  int    `json:"line,omitempty"`  // the first line, starting at 1; 0 is the first
	Limit int    `json:"limit,omitempty"` // the number of lines; 0 is all
}

type readTask ReadArgs

func (k readTask) view() agent.View {
	return agent.View{Title: "Read " + Shorten(k.Path, 80), Kind: "read"}
}

func (k readTask) run(c *call) Result {
	p, err := c.reach(k.Path, k.Line)
	if err != nil {
		return c.fail(err)
	}
	v, err := c.box.files.load(c.turn.Context(), p)
	if err == nil && !v.exists {
		err = p.explain(errMissing)
	}
	if err != nil {
		return c.fail(err)
	}
	text, err := linesOf(v.text, k.Line, k.Limit)
	if err != nil {
		return c.fail(fmt.Errorf("%s %w", p.name(), err))
	}
	return c.succeed(text)
}

// linesOf returns limit lines of a text from the line first on; 0 means no limit.
func linesOf(text string, first, limit int) (string, error) {
	if first <= 1 && limit <= 0 {
		return text, nil
	}
	var b strings.Builder
	number := 0
	for line := range strings.Lines(text) {
		number++
		if number >= first && (limit <= 0 || number < max(first, 1)+limit) {
			b.WriteString(line)
		}
	}
	if first > max(number, 1) {
		return "", fmt.Errorf("has only %s", Plural(number, "line"))
	}
	return b.String(), nil
}
