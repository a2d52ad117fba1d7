package rawjson_test

import (
	"bytes"
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
			f.Learn([]byte(line), from, to)
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
	for name, f := range map[string]*rawjson.Frame{
		"the zero frame": {},
		"no string":      learned(t, `{"text":1}`),
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
		var frame rawjson.Frame
		if from, to, ok := lastText(like); ok {
			frame.Learn([]byte(like), from, to)
		}
		requireRun(t, &frame, []byte(line+"\n"+like+"\r\n"+line+line+"\n"))
		body, ok := frame.Match([]byte(line))
		if !ok {
			return
		}
		from, to, ok := lastText(line)
		require.True(t, ok, "the walk refuses %q", line)
		require.Equal(t, line[from+1:to-1], string(body))
	})
}

func TestARunTakesTheLinesThatTheFrameMatches(t *testing.T) {
	f := learned(t, `{"text":"a"}`)
	for text, want := range map[string][2]string{
		``:                                {``, ``},
		`{"text":"b"}`:                    {`b`, ``},
		`{"text":"b"}` + "\n":             {`b`, ``},
		`{"text":"b"}` + "\r":             {`b`, ``},
		`{"text":"b"}` + "\r\n":           {`b`, ``},
		`{"text":"b"}` + "\rx":            {``, `{"text":"b"}` + "\rx"},
		`{"text":"b"}` + "\n" + `{"te`:    {`b`, `{"te`},
		`{"text":"b"}{"text":"c"}` + "\n": {``, `{"text":"b"}{"text":"c"}` + "\n"},
		`{"text":"b"} ` + "\n":            {``, `{"text":"b"} ` + "\n"},
		`{"text":"b` + "\n" + `"}` + "\n": {``, `{"text":"b` + "\n" + `"}` + "\n"},
		`{"text":"b\n\u00e4"}` + "\n" + `{"text":"\ud83d"}` + "\r\n" + `{"text":"\ude42"}` + "\n\n": {`b\n\u00e4\ud83d\ude42`, "\n"},
	} {
		var run rawjson.Run
		rest := f.Run(&run, []byte(text), 100)
		require.Equal(t, want, [2]string{string(run.Text), string(rest)}, "%q", text)
	}
}

func TestARunIsNoLongerThanItsLimit(t *testing.T) {
	f := learned(t, `{"text":"a"}`)
	lines := []byte(strings.Repeat(`{"text":"1234"}`+"\n", 3))
	for limit, want := range map[int]string{3: "", 4: "1234", 7: "1234", 8: "12341234", 100: "123412341234"} {
		run := rawjson.Run{Text: rawjson.String("of the run before"), Ends: []int{6, 17}}
		rest := f.Run(&run, lines, limit)
		require.Equal(t, want, string(run.Text), "limit %d", limit)
		require.Equal(t, []int{4, 8, 12}[:len(want)/4], run.Ends, "limit %d", limit)
		require.Len(t, rest, len(lines)-len(want)/4*16, "limit %d", limit)
	}
}

// requireRun compares a run with the frame's result for each line.
func requireRun(t *testing.T, f *rawjson.Frame, text []byte) {
	t.Helper()
	var want []byte
	ends := []int{}
	left := text
	for len(left) > 0 {
		line, after, _ := bytes.Cut(left, []byte{'\n'})
		piece, ok := f.Match(bytes.TrimSuffix(line, []byte{'\r'}))
		if !ok {
			break
		}
		want, left = append(want, piece...), after
		if len(piece) > 0 {
			ends = append(ends, len(want))
		}
	}
	run := rawjson.Run{Ends: []int{}}
	rest := f.Run(&run, text, len(text))
	require.Equal(t, string(want), string(run.Text), "%q", text)
	require.Equal(t, ends, run.Ends, "%q", text)
	require.Equal(t, string(left), string(rest), "%q", text)
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
