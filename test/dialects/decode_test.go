package dialects

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/dialect"
	"github.com/turnwire/turnwire/agent/track"
	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/internal/jsontext"
)

// project is where the sessions of all tests work: paths in golden files must
// not depend on the machine.
const project = "/project"

// A result is what becomes of a stream.
type result struct {
	events []string // canonical, as JSON
	v1     []string // the lines that an editor gets
	lines  []line
}

// A line is what becomes of one line of a stream.
type line struct {
	text    string
	types   []string // of the events
	unknown bool     // an event is one that nobody knows
	private bool     // an event is for those who watch the agent
	v1      []string // what the editor gets at once
	err     error
}

// decode decodes a stream as the bridge does.
func decode(t *testing.T, d dialect.Dialect, stream []byte) result {
	t.Helper()
	var r result
	var out bytes.Buffer
	transcript := bridge.NewTranscript(&out, project)
	decoder := d.NewDecoder()
	for text := range bytes.Lines(jsontext.Valid(stream)) {
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			continue
		}
		l := line{text: string(text)}
		from := out.Len()
		l.err = decoder.Decode(text, func(e agent.Event) bool {
			r.events = append(r.events, string(agent.AppendJSON(nil, e)))
			l.note(e)
			return transcript.Add(e)
		})
		l.v1 = split(out.String()[from:])
		r.lines = append(r.lines, l)
	}
	if e, ok := decoder.(dialect.Ender); ok {
		e.End(func(e agent.Event) bool {
			r.events = append(r.events, string(agent.AppendJSON(nil, e)))
			return transcript.Add(e)
		})
	}
	if e, ok := decoder.(dialect.Ender); ok {
		e.End(func(e agent.Event) bool {
			r.events = append(r.events, string(agent.AppendJSON(nil, e)))
			return transcript.Add(e)
		})
	}
	require.NoError(t, transcript.End())
	r.v1 = split(out.String())
	return r
}

func (l *line) note(e agent.Event) {
	l.types = append(l.types, e.Type())
	if _, ok := e.(*agent.Unknown); ok {
		l.unknown = true
	}
	// Progress that is not for the person is for nobody.
	if _, ok := e.(*agent.ToolProgress); !ok && mapv1.Private(track.Step{Event: e}) {
		l.private = true
	}
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func join(lines []string) []byte {
	if len(lines) == 0 {
		return nil
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}
