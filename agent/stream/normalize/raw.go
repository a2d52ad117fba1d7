package normalize

import (
	"bytes"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// maxDepth is how deep arguments and results may nest. Strict readers give up
// at 128 levels, of the whole line; one that does loses the line.
const maxDepth = 100

// readable returns a copy of v that every client can read: what is too long or
// nests too deep is shown as text, and cut.
func readable(v agent.Raw) agent.Raw {
	if len(v) <= maxArgs && rawjson.Depth(v) <= maxDepth {
		return bytes.Clone(v)
	}
	text := Bounded(rawjson.Quote(string(v[:min(len(v), maxArgs)])), maxArgs)
	return append(append(agent.Raw{'"'}, text...), '"')
}
