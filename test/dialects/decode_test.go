package dialects

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// project is the working directory of all sessions in these tests, because
// paths in golden files must not depend on the machine.
const project = "/project"

// A result is a decoded stream.
type result struct {
	events []string // canonical, as JSON
	v1     []string // the lines that an editor receives
	lines  []line
}

// A line is one decoded line of a stream.
type line struct {
	text    string
	types   []string // of the events
	unknown bool     // one of the events is of an unknown type
	v1      []string // what every editor receives
	asked   []string // what only an editor that asks for it receives
	err     error
}

// decode decodes a stream like the bridge. It overwrites each line's memory
// after decoding, as happens to a batch's, so that the golden files reveal any
// retained reference to a line.
func decode(t *testing.T, d dialect.Dialect, stream []byte) result {
	t.Helper()
	var r result
	var out bytes.Buffer
	transcript := bridge.NewTranscript(&out, project)
	decoder := d.NewDecoder()
	for text := range bytes.Lines(rawjson.Valid(stream)) {
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			continue
		}
		text = bytes.Clone(text)
		l := line{text: string(text)}
		from := out.Len()
		l.err = decoder.Decode(text, func(e agent.Event) bool {
			r.events = append(r.events, string(agent.AppendJSON(nil, e)))
			l.note(e)
			return transcript.Add(e)
		})
		for i := range text {
			text[i] = '#'
		}
		l.v1 = split(out.String()[from:])
		r.lines = append(r.lines, l)
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
	step := normalize.Step{Event: e}
	switch e.(type) {
	case *agent.ToolProgress: // progress that isn't for the user isn't shown
	case *agent.ContextCompacted:
		for _, u := range acpmap.Map(step, acpmap.Client{Compaction: true}) {
			l.asked = append(l.asked, string(v1.AppendNotification(nil, "s", u)))
		}
	default:
		if acpmap.Private(step) {
			l.asked = append(l.asked, `{"jsonrpc":"2.0","method":"_turnwire/event"}`)
		}
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
