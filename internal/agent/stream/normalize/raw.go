package normalize

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth limits the nesting of arguments and results. Strict readers reject a
// whole line that nests deeper than 128 levels.
const maxDepth = 100

// readable returns a copy of v that every client can read. A value that is too
// long or nested too deeply becomes a truncated string.
func readable(v agent.Raw) agent.Raw {
	if len(v) <= maxArgs && rawjson.Depth(v) <= maxDepth {
		return bytes.Clone(v)
	}
	text := Bounded(agent.NewText(string(v[:min(len(v), maxArgs)])), maxArgs)
	return append(append(agent.Raw{'"'}, rawjson.Body(text)...), '"')
}
