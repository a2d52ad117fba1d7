package jsontext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// loose is a frame of line around the value of its member text, for which the
// values of the members free may say anything.
func loose(line string, free ...string) *jsontext.LooseFrame {
	f := new(jsontext.LooseFrame)
	var text jsontext.Span
	var spans []jsontext.Span
	o := jsontext.Walk([]byte(line))
	for {
		key, _, ok := o.Next()
		if !ok {
			f.Learn([]byte(line), text.From, text.To, spans...)
			return f
		}
		var s jsontext.Span
		s.From, s.To = o.Span()
		if string(key) == "text" {
			text = s
		}
		for _, name := range free {
			if string(key) == name {
				spans = append(spans, s)
			}
		}
	}
}

func TestALooseFrameMatchesLinesThatAreNumberedAndDated(t *testing.T) {
	const learned = `{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`
	for line, want := range map[string]string{
		learned: "x",
		`{"id":"evt-0002","seq":11,"ts":"2026-03-01T10:00:01.250Z","text":"a \"b\"","at":1760000001125,"by":"me"}`: `a \"b\"`,
		`{"id":"ab{},:[]","seq":99,"ts":"                        ","text":"","at":9999999999999,"by":"me"}`:        "",
		`{"id":"äöüß","seq":20,"ts":"2026-03-01T10:00:00.125Z","text":"ä","at":1760000000000,"by":"me"}`:           "ä",
	} {
		f := loose(learned, "id", "seq", "ts", "at")
		for range 2 { // what has matched changes nothing that matches
			body, ok := f.Match([]byte(line))
			require.True(t, ok, line)
			require.Equal(t, want, string(body))
		}
		_, ok := f.Match([]byte(learned))
		require.True(t, ok)
	}
	for _, line := range []string{
		``,
		`{"text":"x"}`,
		`{"id":"evt-00011","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":100,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":01,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":1.,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":-1,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-000\","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt","a":","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`,
		"{\"id\":\"evt\t0001\",\"seq\":10,\"ts\":\"2026-03-01T10:00:00.125Z\",\"text\":\"x\",\"at\":1760000000000,\"by\":\"me\"}",
		`{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.12"Z","text":"x","at":1760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":17600000000e0,"by":"me"}`,
		`{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":0760000000000,"by":"me"}`,
		`{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"us"}`,
		`{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x\q","at":1760000000000,"by":"me"}`,
	} {
		f := loose(learned, "id", "seq", "ts", "at")
		_, ok := f.Match([]byte(line))
		require.False(t, ok, line)
		_, ok = f.Match([]byte(learned))
		require.True(t, ok, "it matches no longer what it has learned, after %s", line)
	}
}

func TestALooseFrameComparesWhatIsNeitherDigitsNorAPlainString(t *testing.T) {
	for _, value := range []string{`1.5`, `-1`, `null`, `true`, `{"a":1}`, `[1]`, `"\n"`, `""`} {
		f := loose(`{"n":`+value+`,"text":"x"}`, "n")
		_, ok := f.Match([]byte(`{"n":` + value + `,"text":"y"}`))
		require.True(t, ok, value)
		_, ok = f.Match([]byte(`{"n":` + value[:len(value)-1] + `7,"text":"y"}`))
		require.False(t, ok, value)
	}
}

func TestALooseFrameThatHasLearnedNothingMatchesNothing(t *testing.T) {
	for name, f := range map[string]*jsontext.LooseFrame{
		"the zero frame": {},
		"no string":      loose(`{"n":1,"text":1}`, "n"),
	} {
		for _, line := range []string{``, `{}`, `{"n":1,"text":1}`, `{"n":1,"text":"x"}`} {
			_, ok := f.Match([]byte(line))
			require.False(t, ok, "%s: %s", name, line)
		}
	}
}

func FuzzALooseFrameFindsWhatAWalkFinds(f *testing.F) {
	f.Add(`{"seq":1,"at":"2026-03-01","text":"a"}`, `{"seq":2,"at":"2026-03-02","text":"b\n"}`)
	f.Add(`{"text":"a","n":17600000000}`, `{"text":"b","n":17600000001}`)
	f.Add(`{"seq":10,"text":"a","text":"b","n":"x"}`, `{"seq":01,"text":"a","text":"c","n":"\"}`)
	f.Fuzz(func(t *testing.T, like, line string) {
		var frame jsontext.LooseFrame
		if from, to, ok := lastText(like); ok {
			frame.Learn([]byte(like), from, to, others(like)...)
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

// others are the values of the members that are not text.
func others(line string) (free []jsontext.Span) {
	o := jsontext.Walk([]byte(line))
	for {
		key, _, ok := o.Next()
		if !ok {
			return free
		}
		if string(key) != "text" {
			from, to := o.Span()
			free = append(free, jsontext.Span{From: from, To: to})
		}
	}
}
