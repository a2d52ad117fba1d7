package dialect

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// read calls use with the members of an object, and returns the line's fault.
func read(t *testing.T, object string, use func(f *Fields)) error {
	t.Helper()
	var s scratch
	f, err := s.object([]byte(object))
	require.NoError(t, err)
	use(f)
	return s.fault
}

func TestMembersAreReadByTheirNames(t *testing.T) {
	object := `{"text":"a\n\u00e4","other":"x","n":7,"f":1.5e1,"yes":true,"no":false,"raw":[1, {"a":null}],"o":{"id":"i"},` +
		`"list":[{"id":"1"},{"id":"2"}],"nothing":null,"esc\u0061ped":"e","twice":1,"twice":2,"half":"\ud83d"}`
	require.NoError(t, read(t, object, func(f *Fields) {
		require.Equal(t, `a\n\u00e4`, string(rawjson.Body(f.Text("text"))))
		require.Equal(t, "a\nä", f.String("text"))
		require.Equal(t, "x", f.Key("missing", "nothing", "other"), "the first that is there")
		require.Equal(t, int64(7), f.Int("n"))
		require.InDelta(t, 15, f.Float("f"), 0)
		require.True(t, f.Bool("yes"))
		require.False(t, f.Bool("no"))
		require.Equal(t, `[1, {"a":null}]`, string(f.Raw("raw")))
		require.Equal(t, "i", f.Object("o").Key("id"))
		require.Equal(t, "e", f.Key("escaped"))
		require.Equal(t, int64(2), f.Int("twice"), "the last counts")
		require.Equal(t, `\ufffd`, string(rawjson.Body(f.Text("half"))))
		require.Equal(t, `\ud83d`, string(rawjson.Body(f.Piece("half"))))
		require.Equal(t, `"\ufffd"`, string(f.Raw("half")))
		require.Equal(t, `[1, {\"a\":null}]`, string(rawjson.Body(f.Shown("raw"))))
		var ids []string
		for o := range f.Objects("list") {
			ids = append(ids, o.Key("id"))
		}
		require.Equal(t, []string{"1", "2"}, ids)
		require.True(t, f.Has("n"))
		require.False(t, f.Has("nothing", "missing"))
	}))
}

func TestAllMembersComeInTheirOrder(t *testing.T) {
	require.NoError(t, read(t, `{"b":"x","a":null,"b":[1],"\u0063":{"half":"\ud83d"}}`, func(f *Fields) {
		var got []string
		for key, value := range f.All() {
			got = append(got, string(rawjson.Body(key))+" "+string(value))
		}
		require.Equal(t, []string{`b "x"`, `a null`, `b [1]`, `\u0063 {"half":"\ufffd"}`}, got)
		for key := range f.All() {
			require.Equal(t, "b", string(rawjson.Body(key)))
			break
		}
	}))
	for range (*Fields)(nil).All() {
		require.Fail(t, "nothing has no members")
	}
}

func TestAbsentMembersAreZero(t *testing.T) {
	for _, object := range []string{`{}`, `{"a":null}`} {
		require.NoError(t, read(t, object, func(f *Fields) {
			for _, f := range []*Fields{f, f.Object("a"), nil} {
				require.Empty(t, f.String("a"))
				require.Empty(t, f.Key("a"))
				require.Zero(t, f.Piece("a"))
				require.Nil(t, f.Raw("a"))
				require.Zero(t, f.Shown("a"))
				require.Zero(t, f.Int("a"))
				require.Zero(t, f.Float("a"))
				require.False(t, f.Bool("a"))
				require.Empty(t, slices.Collect(f.Objects("a")))
				require.Empty(t, f.OptionalKey("a"))
				require.True(t, f.Read(&struct{}{}))
			}
		}))
	}
}

func TestAValueOfTheWrongKindMakesTheLineMalformed(t *testing.T) {
	for want, use := range map[string]func(f *Fields){
		"a must be a string, not a number":                 func(f *Fields) { f.Key("a") },
		"a must be an object, not a number":                func(f *Fields) { f.Object("a").Key("b") },
		"a must be a boolean, not a number":                func(f *Fields) { f.Bool("a") },
		"b must be a number, not a string":                 func(f *Fields) { f.Float("b") },
		"n must be a whole number, not a string":           func(f *Fields) { f.Int("n") },
		"b must be an array, not a string":                 func(f *Fields) { _ = slices.Collect(f.Objects("b")) },
		"a must be an array, not a number":                 func(f *Fields) { _ = slices.Collect(f.Objects("a")); f.Key("a") },
		"c must be an array of objects only, not an array": func(f *Fields) { _ = slices.Collect(f.Objects("c")) },
		"b must be a whole number, not a string": func(f *Fields) {
			require.False(t, f.Read(&struct {
				B int `json:"b"`
			}{}))
		},
	} {
		require.EqualError(t, read(t, `{"a":1,"b":"x","n":"x","c":[{},2]}`, use), want)
	}
	require.NoError(t, read(t, `{"a":1}`, func(f *Fields) { require.Empty(t, f.OptionalKey("a")) }))
}

func TestRepeatedNamesAreTheSameString(t *testing.T) {
	var n names
	line := []byte("call_1")
	first := n.get(line)
	copy(line, "xxxxxx")
	require.Equal(t, "call_1", first)
	require.Zero(t, testing.AllocsPerRun(10, func() { n.get([]byte("call_1")) }))
	for i := range 10_000 {
		require.Equal(t, string(rune('a'+i%26))+"x", n.get([]byte{byte('a' + i%26), 'x'}))
	}
	require.Len(t, n.known, nameSets)
}

func TestScratchMemoryIsBounded(t *testing.T) {
	var s scratch
	many := []byte(`{"list":[{}`)
	for range 1000 {
		many = append(many, `,{"a":1}`...)
	}
	many = append(many, `]`...)
	for i := range 1000 {
		many = append(many, `,"m`+string(rune('a'+i%26))+`":1`...)
	}
	f, err := s.object(append(many, '}'))
	require.NoError(t, err)
	require.Len(t, slices.Collect(f.Objects("list")), 1001)
	s.reset()
	require.LessOrEqual(t, len(s.objects), maxKeptObjects)
	for _, o := range s.objects {
		require.LessOrEqual(t, cap(o.list), maxKeptMembers)
	}
}

// A text line is recognised whatever came in between.
func TestTextLinesAreRecognisedAfterAnyOthers(t *testing.T) {
	type state struct{ spoken string }
	table := Table[state]{
		Name: "small",
		Forms: []Form[state]{{Type: "t", Kinds: []Kind[state]{
			{Name: "say", Decode: func(s *state, l *Line) { l.EmitText(agent.TextDelta{MessageID: s.spoken, Text: l.Piece("x")}) }},
			{Name: "as", Decode: func(s *state, l *Line) { s.spoken = l.Key("who") }},
			{Name: "both", Decode: func(_ *state, l *Line) {
				l.EmitText(agent.TextDelta{Text: l.Piece("x")})
				l.Emit(&agent.StepEnd{})
			}},
		}}},
	}
	d := table.Compile().Dialect().NewDecoder()
	var got []string
	for _, line := range []string{
		`{"t":"say","x":"1"}`, `{"t":"say","x":"2"}`, `{"t":"as","who":"m"}`, `{"t":"say","x":"3"}`, `{"t":"say","x":"4"}`,
		`{"t":"both","x":"5"}`, `{"t":"both","x":"6"}`, `{"t":"say","x":""}`, `{"t":"say","x":"7"}`,
	} {
		require.NoError(t, d.Decode([]byte(line), func(e agent.Event) bool {
			got = append(got, string(agent.AppendJSON(nil, e)))
			if text, ok := e.(*agent.TextDelta); ok {
				text.MessageID = "changed by the receiver"
			}
			return true
		}))
	}
	require.Equal(t, []string{
		`{"type":"text_delta","text":"1"}`, `{"type":"text_delta","text":"2"}`,
		`{"type":"text_delta","text":"3","messageId":"m"}`, `{"type":"text_delta","text":"4","messageId":"m"}`,
		`{"type":"text_delta","text":"5"}`, `{"type":"step_end"}`,
		`{"type":"text_delta","text":"6"}`, `{"type":"step_end"}`,
		`{"type":"text_delta","text":"","messageId":"m"}`, `{"type":"text_delta","text":"7","messageId":"m"}`,
	}, got)
}
