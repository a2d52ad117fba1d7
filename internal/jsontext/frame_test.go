package jsontext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// learned is a frame of line around the value of its member key.
func learned(t testing.TB, line, key string) *jsontext.Frame {
	t.Helper()
	o := jsontext.Walk([]byte(line))
	for {
		k, _, ok := o.Next()
		require.True(t, ok, "%s has no %s", line, key)
		if string(k) == key {
			from, to := o.Span()
			f := new(jsontext.Frame)
			f.Learn([]byte(line), from, to)
			return f
		}
	}
}

func TestAFrameMatchesLinesThatDifferInTheOneString(t *testing.T) {
	f := learned(t, `{"a":1,"text":"x","b":[2]}`, "text")
	for line, want := range map[string]string{
		`{"a":1,"text":"","b":[2]}`:                       "",
		`{"a":1,"text":"other","b":[2]}`:                  "other",
		`{"a":1,"text":"\"\\\u00e4\ud83d","b":[2]}`:       `\"\\\u00e4\ud83d`,
		`{"a":1,"text":"\",\"b\":[2]}","b":[2]}`:          `\",\"b\":[2]}`,
		`{"a":1,"text":"a text beyond one step","b":[2]}`: "a text beyond one step",
	} {
		body, ok := f.Match([]byte(line))
		require.True(t, ok, line)
		require.Equal(t, want, string(body))
	}
	for _, line := range []string{
		``,
		`{"a":1,"text":"`,
		`{"a":1,"text":","b":[2]}`,
		`{"a":2,"text":"x","b":[2]}`,
		`{"a":1,"text":"x","b":[3]}`,
		`{"a":1,"text":"x","b":[2]} `,
		`{"a":1,"text":"x","c":"y","b":[2]}`,
		`{"a":1,"text":"x\","b":[2]}`,
		`{"a":1,"text":"x\q","b":[2]}`,
		"{\"a\":1,\"text\":\"x\ty\",\"b\":[2]}",
		`{"a":1,"text":null,"b":[2]}`,
	} {
		_, ok := f.Match([]byte(line))
		require.False(t, ok, line)
	}
}

func TestAFrameThatHasLearnedNothingMatchesNothing(t *testing.T) {
	for name, f := range map[string]*jsontext.Frame{
		"the zero frame": {},
		"no string":      learned(t, `{"text":1}`, "text"),
	} {
		for _, line := range []string{``, `{}`, `{"text":1}`, `{"text":"x"}`} {
			_, ok := f.Match([]byte(line))
			require.False(t, ok, "%s: %s", name, line)
		}
	}
}

func FuzzAFrameFindsWhatAWalkFinds(f *testing.F) {
	f.Add(`{"type":"text_delta","text":"a"}`, `{"type":"text_delta","text":"b\n"}`)
	f.Add(`{"text":"a","n":1}`, `{"text":"b","n":1}`)
	f.Add(`{"text":"a","text":"b"}`, `{"text":"a","text":"c"}`)
	f.Fuzz(func(t *testing.T, like, line string) {
		var frame jsontext.Frame
		if from, to, ok := lastText(like); ok {
			frame.Learn([]byte(like), from, to)
		}
		body, ok := frame.Match([]byte(line))
		if !ok {
			return
		}
		from, to, ok := lastText(line)
		require.True(t, ok, "the walk refuses %q", line)
		require.Equal(t, line[from+1:to-1], string(body))
	})
}

// lastText is where the string of the last member "text" of an object is.
func lastText(line string) (from, to int, ok bool) {
	o := jsontext.Walk([]byte(line))
	for {
		key, value, more := o.Next()
		if !more {
			return from, to, ok && o.Err() == nil
		}
		if string(key) == "text" {
			from, to = o.Span()
			ok = value[0] == '"'
		}
	}
}
