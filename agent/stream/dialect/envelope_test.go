package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// wrapped counts how often its handler opens an envelope.
var wrapped = dialect.Table[int]{
	Name: "wrapped",
	Forms: []dialect.Form[int]{{Type: "type", Kinds: []dialect.Kind[int]{
		{Name: "notice", Event: func(l *dialect.Line) agent.Event { return notice(l.String("message")) }},
		{Name: "text", Decode: func(_ *int, l *dialect.Line) { l.EmitText(agent.TextDelta{Text: l.Piece("text")}) }},
		{Name: "event", Decode: func(opened *int, l *dialect.Line) {
			*opened++
			l.Unwrap(l.Object("params").Object("event"))
		}},
		{Name: "events", Decode: func(_ *int, l *dialect.Line) {
			for e := range l.Objects("events") {
				l.Unwrap(e)
			}
		}},
	}}},
}.Compile()

// unwrapped decodes a line and returns its events or the error.
func unwrapped(d dialect.Decoder, line string) string {
	var out []string
	err := d.Decode([]byte(line), func(e agent.Event) bool {
		out = append(out, string(agent.AppendJSON(nil, e)))
		return true
	})
	if err != nil {
		out = append(out, err.Error())
	}
	return strings.Join(out, "\n")
}

func inEnvelope(event string) string {
	return fmt.Sprintf(`{"type":"event","params":{"id":5,"event":%s}, "n":1}`, event)
}

func TestKnownEnvelopesDoNotChangeTheirEvents(t *testing.T) {
	learned := inEnvelope(`{"type":"notice","message":"first"}`)
	for _, event := range []string{
		`{"type":"notice","message":"a"}`, ` { "message" : "\ud83d" , "type" : "notice" } `, `{"type":"notice","message":7}`,
		`{"type":"text","text":"\ud83d"}`, `{"type":"new","n":1}`, `{"message":"a"}`, `{}`, `{"type":7}`, `{"type":"events","events":[]}`,
		inEnvelope(`{"type":"notice","message":"deep"}`),
		`null`, `7`, `"x"`, `[{"type":"notice"}]`, `[]`, ``, `{`, `}`, `{"type":"notice"`, `{"type":"notice"}}`,
		`{"type":"notice","message":"a"},"event":{"type":"notice","message":"b"}`,
		`{"type":"notice","message":"a"},"event":null`,
		`{"type":"notice","message":"a"}}, "type":"notice","message":"c", "o":{"n":1`,
	} {
		line := inEnvelope(event)
		want := unwrapped(wrapped.Dialect().NewDecoder(), line)
		d := wrapped.Dialect().NewDecoder()
		require.Equal(t, `{"type":"notice","message":"first"}`, unwrapped(d, learned))
		require.Equal(t, want, unwrapped(d, line), line)
		require.Equal(t, want, unwrapped(d, line), "once more: %s", line)
		require.Equal(t, `{"type":"notice","message":"first"}`, unwrapped(d, learned))
	}
}

func TestKnownEnvelopesAreNotParsedAgain(t *testing.T) {
	var opened int
	d := wrapped.Decoder(&opened)
	event := func(n int) string { return fmt.Sprintf(`{"type":"notice","message":"%d"}`, n) }
	for n := range 3 {
		unwrapped(d, inEnvelope(event(n)))
	}
	require.Equal(t, 1, opened)
	unwrapped(d, event(1)) // the handler may have learned something from a line in between
	unwrapped(d, inEnvelope(event(2)))
	require.Equal(t, 2, opened)
	unwrapped(d, strings.Replace(inEnvelope(event(2)), `"n":1`, `"n":2`, 1))
	require.Equal(t, 3, opened)
	for range 2 {
		unwrapped(d, strings.Replace(inEnvelope(event(2)), `"n":1`, `"n":"`+strings.Repeat("n", 5000)+`"`, 1))
	}
	require.Equal(t, 5, opened, "what is long is not remembered")
}

func TestEventsThatShareALineHaveNoEnvelope(t *testing.T) {
	d := wrapped.Dialect().NewDecoder()
	for _, message := range []string{"a", "b"} {
		line := `{"type":"events","events":[{"type":"notice","message":"x"},{"type":"notice","message":"` + message + `"}]}`
		require.Equal(t, `{"type":"notice","message":"x"}`+"\n"+`{"type":"notice","message":"`+message+`"}`, unwrapped(d, line))
	}
}
