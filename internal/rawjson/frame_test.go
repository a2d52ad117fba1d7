package rawjson_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// learned returns a frame of line around the value of its member "text".
func learned(t testing.TB, line string) *rawjson.Frame {
	t.Helper()
	o := rawjson.Walk([]byte(line))
	for {
		k, _, ok := o.Next()
		require.True(t, ok, "%s has no text", line)
		if string(k) == "text" {
			from, to := o.Span()
			f := new(rawjson.Frame)
			f.Learn([]byte(line), rawjson.Span{From: from, To: to})
			return f
		}
	}
}

func TestAFrameMatchesLinesThatDifferInTheOneString(t *testing.T) {
	f := learned(t, `{"a":1,"text":"x","b":[2]}`)
	for line, want := range map[string]string{
		`{"a":1,"text":"","b":[2]}`:                       "",
		`{"a":1,"text":"other","b":[2]}`:                  "other",
		`{"a":1,"text":"\"\\\u00e4\ud83d","b":[2]}`:       `\"\\\u00e4\ud83d`,
		`{"a":1,"text":"\",\"b\":[2]}","b":[2]}`:          `\",\"b\":[2]}`,
		`{"a":1,"text":"a text beyond one step","b":[2]}`: "a text beyond one step",
	} {
		body, _, ok := f.Match([]byte(line))
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
		_, _, ok := f.Match([]byte(line))
		require.False(t, ok, line)
	}
}

func TestAnEmptyFrameMatchesNothing(t *testing.T) {
	for name, f := range map[string]*rawjson.Frame{
		"the zero frame": {},
		"no string":      learned(t, `{"text":1}`),
	} {
		for _, line := range []string{``, `{}`, `{"text":1}`, `{"text":"x"}`} {
			_, _, ok := f.Match([]byte(line))
			require.False(t, ok, "%s: %s", name, line)
		}
	}
}

func TestAFrameMatchesLinesWhoseOtherValuesDiffer(t *testing.T) {
	f := varying(t, `{"seq":1,"text":"x","b":[2],"ts":"now","kind":"k"}`, "seq", "b", "ts")
	for line, want := range map[string][]string{
		`{"seq":1,"text":"x","b":[2],"ts":"now","kind":"k"}`:                   {"1", "[2]", `"now"`},
		`{"seq":-2.5e7,"text":"x","b":{"a":[null]},"ts":false,"kind":"k"}`:     {"-2.5e7", `{"a":[null]}`, "false"},
		`{"seq":"\"","text":"x","b":"\u00e4","ts":"","kind":"k"}`:              {`"\""`, `"\u00e4"`, `""`},
		`{"seq":",\"text\":\"y\"","text":"x","b":0,"ts":{"x":"}"},"kind":"k"}`: {`",\"text\":\"y\""`, "0", `{"x":"}"}`},
	} {
		body, others, ok := f.Match([]byte(line))
		require.True(t, ok, line)
		require.Equal(t, "x", string(body), line)
		got := make([]string, 0, len(others))
		for _, o := range others {
			got = append(got, string(o))
		}
		require.Equal(t, want, got, line)
	}
	for _, line := range []string{
		`{"seq":1,"text":"x","b":[2],"ts":"now","kind":"l"}`,
		`{"seq":1,"text":"x","b":[2],"ts":"now"}`,
		`{"seq":01,"text":"x","b":[2],"ts":"now","kind":"k"}`,
		`{"seq":1,"text":"x","b":[2,],"ts":"now","kind":"k"}`,
		`{"seq":1,"text":"x","b":[2],"ts":,"kind":"k"}`,
		`{"seq":1,"text":"x","b":[2],"ts":"\ud800","kind":"k"}`,
		`{"seq":1,"text":"x","b":[2],"ts":"now","more":1,"kind":"k"}`,
		`{"seq": 1,"text":"x","b":[2],"ts":"now","kind":"k"}`,
		`{"seq":1,"text":"x","b":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `,"ts":"now","kind":"k"}`,
		`{"seq":1`,
	} {
		_, _, ok := f.Match([]byte(line))
		require.False(t, ok, line)
	}
}

func TestAFrameDoesNotLearnLinesWithLongOtherParts(t *testing.T) {
	long := strings.Repeat("x", 1100)
	for _, line := range []string{
		`{"seq":1,"text":"x","long":"` + long + `"}`,
		`{"long":"` + long + `","text":"x","seq":1}`,
	} {
		_, _, ok := varying(t, line, "seq").Match([]byte(line))
		require.False(t, ok)
		_, _, ok = varying(t, line, "seq", "long").Match([]byte(line))
		require.True(t, ok)
	}
}

func FuzzAFrameFindsWhatAWalkFinds(f *testing.F) {
	f.Add(`{"type":"text_delta","text":"a"}`, `{"type":"text_delta","text":"b\n"}`)
	f.Add(`{"text":"a","n":1}`, `{"text":"b","n":1}`)
	f.Add(`{"text":"a","text":"b"}`, `{"text":"a","text":"c"}`)
	f.Add(`{"id":"e1","seq":1,"type":"t","ts":12,"text":"a"}`, `{"id":"e2","seq":-2e9,"type":"t","ts":null,"text":"b"}`)
	f.Fuzz(func(t *testing.T, like, line string) {
		requireMatch(t, like, line, func(string) bool { return false })
		requireMatch(t, like, line, func(key string) bool { return key != "type" })
	})
}

// requireMatch compares a frame's result with that of a walk over line. The frame has
// learned like, with the values of some members varying.
func requireMatch(t *testing.T, like, line string, vary func(key string) bool) {
	t.Helper()
	var frame rawjson.Frame
	if from, to, ok := lastText(like); ok {
		frame.Learn([]byte(like), rawjson.Span{From: from, To: to}, others(like, from, vary)...)
	}
	body, values, ok := frame.Match([]byte(line))
	if !ok {
		return
	}
	from, to, ok := lastText(line)
	require.True(t, ok, "the walk refuses %q", line)
	require.Equal(t, line[from+1:to-1], string(body))
	spans := others(line, from, vary)
	require.Len(t, values, len(spans))
	for i, s := range spans {
		require.Equal(t, line[s.From:s.To], string(values[i]))
	}
}

// varying returns a frame of line around its text and the values of some
// members.
func varying(t testing.TB, line string, keys ...string) *rawjson.Frame {
	t.Helper()
	from, to, ok := lastText(line)
	require.True(t, ok, "%s has no text", line)
	f := new(rawjson.Frame)
	f.Learn([]byte(line), rawjson.Span{From: from, To: to}, others(line, from, func(key string) bool { return slices.Contains(keys, key) })...)
	return f
}

// others returns the positions of the values of some members, except the text at text.
func others(line string, text int, vary func(key string) bool) (spans []rawjson.Span) {
	o := rawjson.Walk([]byte(line))
	for {
		key, _, ok := o.Next()
		if !ok {
			return spans
		}
		if from, to := o.Span(); from != text && vary(string(key)) {
			spans = append(spans, rawjson.Span{From: from, To: to})
		}
	}
}

// lastText returns the position of the string of the last member "text" of an
// object.
func lastText(line string) (from, to int, ok bool) {
	o := rawjson.Walk([]byte(line))
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
