package jsontext_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/jsontext"
)

// learn makes f learn a line around the value of its member text, for which the
// values of the members free may say anything.
func learn(f *jsontext.Frame, line string, free ...string) {
	var text jsontext.Span
	var spans []jsontext.Span
	o := jsontext.Walk([]byte(line))
	for {
		key, _, ok := o.Next()
		if !ok {
			f.Learn([]byte(line), text.From, text.To, spans...)
			return
		}
		var s jsontext.Span
		s.From, s.To = o.Span()
		if string(key) == "text" {
			text = s
		} else if slices.Contains(free, string(key)) {
			spans = append(spans, s)
		}
	}
}

// numbered is a line that is numbered and dated, and counts are what does that.
const numbered = `{"id":"evt-0001","seq":10,"ts":"2026-03-01T10:00:00.125Z","text":"x","at":1760000000000,"by":"me"}`

var counts = []string{"id", "seq", "ts", "at"}

func TestAFrameMatchesLinesThatAreNumberedAndDated(t *testing.T) {
	var f jsontext.Frame
	learn(&f, numbered, counts...)
	for line, want := range map[string]string{
		numbered: "x",
		`{"id":"evt-0002","seq":11,"ts":"2026-03-01T10:00:09.250Z","text":"a \"b\"","at":1760000001125,"by":"me"}`: `a \"b\"`,
		`{"id":"äöüß","seq":99,"ts":"2026-03-01T10:00       Z","text":"","at":1760099999999,"by":"me"}`:            "",
	} {
		for range 2 { // what has matched changes nothing that matches
			body, ok := f.Match([]byte(line))
			require.True(t, ok, line)
			require.Equal(t, want, string(body))
		}
	}
}

func TestAFrameLearnsWhereNumbersAndDatesBeginToDiffer(t *testing.T) {
	const other = `{"id":"0b6f-4f1","seq":20,"ts":"1999-12-31T23:59:59.999Z","text":"y","at":2860000000000,"by":"me"}`
	var f jsontext.Frame
	learn(&f, numbered, counts...)
	_, ok := f.Match([]byte(other))
	require.False(t, ok, "it says nothing of dates that were never seen to change so much")
	learn(&f, other, counts...)
	for _, line := range []string{numbered, other, `{"id":"{},:[]  ","seq":77,"ts":"1                      2","text":"z","at":3000000000000,"by":"me"}`} {
		_, ok := f.Match([]byte(line))
		require.True(t, ok, line)
	}
}

func TestAFrameRefusesWhatCannotStandForANumberOrADate(t *testing.T) {
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
		var f jsontext.Frame
		learn(&f, strings.Replace(numbered, "1760", "2760", 1), counts...)
		learn(&f, numbered, counts...)
		_, ok := f.Match([]byte(line))
		require.False(t, ok, line)
		_, ok = f.Match([]byte(numbered))
		require.True(t, ok, "it matches no longer what it has learned, after %s", line)
	}
}

func TestAFrameComparesWhatIsNeitherDigitsNorAPlainString(t *testing.T) {
	for _, value := range []string{`1.5`, `-1`, `null`, `true`, `{"a":1}`, `[1]`, `"\n"`, `""`} {
		var f jsontext.Frame
		learn(&f, `{"n":`+value+`,"text":"x"}`, "n")
		_, ok := f.Match([]byte(`{"n":` + value + `,"text":"y"}`))
		require.True(t, ok, value)
		_, ok = f.Match([]byte(`{"n":` + value[:len(value)-1] + `7,"text":"y"}`))
		require.False(t, ok, value)
	}
}

func TestAFrameThatIsTooLongMatchesNothing(t *testing.T) {
	var f jsontext.Frame
	learn(&f, numbered, counts...)
	long := strings.Replace(numbered, "me", strings.Repeat("me", 600), 1)
	learn(&f, long, counts...)
	for _, line := range []string{numbered, long} {
		_, ok := f.Match([]byte(line))
		require.False(t, ok, line)
	}
}

func FuzzAFrameWithGapsFindsWhatAWalkFinds(f *testing.F) {
	f.Add(`{"seq":1,"at":"2026-03-01","text":"a"}`, `{"seq":2,"at":"2026-03-02","text":"b\n"}`)
	f.Add(`{"text":"a","n":17600000000}`, `{"text":"b","n":17600000001}`)
	f.Add(`{"seq":10,"text":"a","text":"b","n":"x"}`, `{"seq":01,"text":"a","text":"c","n":"\"}`)
	f.Fuzz(func(t *testing.T, like, line string) {
		var frame jsontext.Frame
		if from, to, ok := lastText(like); ok {
			frame.Learn([]byte(like), from, to, others(like)...)
			_, found := frame.Match([]byte(like))
			require.True(t, found || len(like)-(to-from) > 1<<10)
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
