package dialect_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

func notice(message string) agent.Event { return &agent.Notice{Message: message} }

var small = smallTable.Dialect()

// smallTable records whether lenient lines were OK before and after their
// message was read.
var smallTable = dialect.Table[[]bool]{
	Name: "small",
	Forms: []dialect.Form[[]bool]{{Type: "type", Also: []string{"event", "class"}, Kinds: []dialect.Kind[[]bool]{
		{Name: "a", Also: []string{"A", "b"}, Event: func(l *dialect.Line) agent.Event { return notice("a") }},
		{Name: "b", Event: func(l *dialect.Line) agent.Event { return notice("b") }},
		{Name: "lenient", Decode: func(s *[]bool, l *dialect.Line) {
			count := int64(0)
			l.Lenient(func() { count = l.Int("n") })
			before := l.OK()
			l.Emit(&agent.Notice{Message: l.String("message"), Description: dialect.Duration(float64(count))})
			*s = append(*s, before, l.OK())
		}},
		{Name: "outer", Decode: func(_ *[]bool, l *dialect.Line) {
			l.Within(l.Object("inner"))
			l.Emit(notice(l.Name + " " + l.String("message")))
		}},
	}}, {Prefix: "answer:", Name: answerName, Kinds: []dialect.Kind[[]bool]{
		{Name: "good", Event: func(l *dialect.Line) agent.Event { return notice("good " + l.String("result")) }},
	}}},
}.Compile()

// answerName names lines that only have a result or an error.
func answerName(l *dialect.Line) string {
	switch {
	case l.Has("result"):
		return "good"
	case l.Has("error"):
		return "bad"
	}
	return ""
}

// messages decodes a line of the small dialect.
func messages(line string) (got []string, err error) {
	err = small.NewDecoder().Decode([]byte(line), func(e agent.Event) bool {
		n, ok := e.(*agent.Notice)
		if !ok {
			got = append(got, "unknown "+e.Type())
			return true
		}
		got = append(got, n.Message)
		return true
	})
	return got, err
}

func TestEventsMayHaveSeveralNames(t *testing.T) {
	require.Equal(t, []string{"a", "b", "lenient", "outer", "answer:good"}, small.Types())
	for line, want := range map[string]string{
		`{"type":"a"}`:                       "a",
		`{"type":"A"}`:                       "a",
		`{"type":"b"}`:                       "b",
		`{"event":"A"}`:                      "a",
		`{"class":"b","type":7}`:             "b",
		`{"class":"b","event":"a"}`:          "a",
		`{"event":"a","type":"b"}`:           "b",
		`{"event":"a","type":"c","class":1}`: "unknown c",
	} {
		got, err := messages(line)
		require.NoError(t, err, line)
		require.Equal(t, []string{want}, got, line)
		require.Equal(t, want != "unknown c", small.Recognise([]byte(line)), line)
	}
	_, err := messages(`{"type":1,"event":null}`)
	require.ErrorIs(t, err, dialect.ErrNotObject)
}

func TestEventsCanBeNamedByTheirMembers(t *testing.T) {
	for line, want := range map[string]string{
		`{"result":"x"}`:                       "good x",
		`{"type":7,"result":"x"}`:              "good x",
		`{"type":"a","result":"x"}`:            "a",
		`{"type":"new","result":"x"}`:          "good x",
		`{"type":"new","result":null}`:         "unknown new",
		`{"error":"x"}`:                        "unknown bad",
		`{"type":"outer","inner":{"error":1}}`: "unknown bad",
	} {
		got, err := messages(line)
		require.NoError(t, err, line)
		require.Equal(t, want, got[0], line)
		require.Equal(t, !strings.HasPrefix(line, `{"error"`) && want != "unknown new", small.Recognise([]byte(line)), line)
	}
	_, err := messages(`{"other":1}`)
	require.ErrorIs(t, err, dialect.ErrNotObject)
	_, err = messages(`{"result":1}`)
	malformed := new(dialect.MalformedError)
	require.ErrorAs(t, err, &malformed)
	require.Equal(t, "answer:good", malformed.Type)
}

func TestOnlyLenientMembersMayHaveAnotherKind(t *testing.T) {
	got, err := messages(`{"type":"lenient","n":"many","message":"m"}`)
	require.NoError(t, err)
	require.Equal(t, []string{"m"}, got)
	got, err = messages(`{"type":"lenient","n":1,"message":2}`)
	require.ErrorContains(t, err, "message")
	require.Empty(t, got)

	var right []bool
	require.Error(t, smallTable.Decoder(&right).Decode([]byte(`{"type":"lenient","n":"many","message":2}`), nil))
	require.Equal(t, []bool{true, false}, right)
}

func TestALineIsUnchangedAfterANestedEvent(t *testing.T) {
	got, err := messages(`{"type":"outer","message":"m","inner":{"type":"outer","message":"n","inner":{"type":"a"}}}`)
	require.NoError(t, err)
	require.Equal(t, []string{"a", "outer n", "outer m"}, got)
	_, err = messages(`{"type":"outer","inner":{"type":"lenient","message":2}}`)
	malformed := new(dialect.MalformedError)
	require.ErrorAs(t, err, &malformed)
	require.Equal(t, "outer", malformed.Type)
}

func TestDurations(t *testing.T) {
	require.InDelta(t, 1500, dialect.Elapsed("2026-03-01T10:00:00+00:00", "2026-03-01T11:00:01.5+01:00"), 0)
	require.Zero(t, dialect.Elapsed("yesterday", "2026-03-01T11:00:01Z"))
	require.Zero(t, dialect.Elapsed("2026-03-01T11:00:01Z", ""))
	for ms, want := range map[float64]string{0: "0s", 149: "100ms", 1450: "1.5s", 900_000: "15m0s", 1e300: "305419h53m47.8s"} {
		require.Equal(t, want, dialect.Duration(ms))
	}
}

func TestEachLineCallsBeforeForEveryLine(t *testing.T) {
	for _, each := range []bool{false, true} {
		seen := 0
		d := dialect.Table[struct{}]{
			Name: "pieces",
			Forms: []dialect.Form[struct{}]{{Type: "type", Kinds: []dialect.Kind[struct{}]{
				{Name: "text", Decode: func(_ *struct{}, l *dialect.Line) { l.EmitText(agent.TextDelta{Text: l.Piece("text")}) }},
			}}},
			EachLine: each,
			Before: func(*struct{}, *dialect.Line) bool {
				seen++
				return true
			},
		}.Compile().Decoder(nil)
		var texts []string
		for _, line := range []string{`{"type":"text","text":"a"}`, `{"type":"text","text":"b"}`, `{"type":"text","text":"c"}`} {
			require.NoError(t, d.Decode([]byte(line), func(e agent.Event) bool {
				texts = append(texts, e.(*agent.TextDelta).Text.String())
				return true
			}))
		}
		require.Equal(t, []string{"a", "b", "c"}, texts)
		require.Equal(t, each, seen == len(texts))
	}
}
