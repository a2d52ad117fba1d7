package jsontext_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"regexp"
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

// earlier differs from it in all of them.
const earlier = `{"id":"run-9992","seq":27,"ts":"1926-12-31T21:57:53.486Z","text":"x","at":2871111111111,"by":"me"}`

func TestAFrameMatchesLinesThatAreNumberedAndDated(t *testing.T) {
	var f jsontext.Frame
	learn(&f, strings.NewReplacer("0001", "0002", "10,", "11,", "125Z", "126Z", "000,", "001,").Replace(numbered), counts...)
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

func TestWhatDoesNotChangeIsComparedUntilItDoes(t *testing.T) {
	step := func(seq, at string) string {
		return `{"seq":` + seq + `,"text":"x","at":"` + at + `"}`
	}
	var f jsontext.Frame
	matches := func(line string) bool {
		_, ok := f.Match([]byte(line))
		return ok
	}
	learn(&f, step("10", "12:00:00"), "seq", "at")
	require.False(t, matches(step("11", "12:00:00")), "nothing has changed so far")
	learn(&f, step("11", "12:00:00"), "seq", "at")
	require.True(t, matches(step("12", "12:00:00")))
	require.False(t, matches(step("12", "12:00:01")), "the time has not changed so far")
	learn(&f, step("12", "12:00:01"), "seq", "at")
	require.True(t, matches(step("13", "12:00:02")))
	learn(&f, step("13", "12:00:02"), "seq", "at")
	require.True(t, matches(step("14", "12:00:03")), "what has changed once may change for good")
}

func TestAFrameWithGapsMatchesWhatIsJSONAndNothingElse(t *testing.T) {
	const odd = "0123456789abcdefxyzAF-:. \t\"\\\x00\x1f/\x7f,{}[]PQ^_@`'()*+!#"
	var f jsontext.Frame
	learn(&f, earlier, counts...)
	learn(&f, numbered, counts...)
	whole := regexp.MustCompile(`"seq":\d+,.*"at":\d+,`)
	var free []int // the places of all bytes that may change
	for _, s := range others(numbered) {
		for i := s.From; i < s.To; i++ {
			if numbered[i] != '"' && !strings.HasPrefix(numbered[i:], `me"`) && !strings.HasPrefix(numbered[i:], `e"}`) {
				free = append(free, i)
			}
		}
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	last := []byte(numbered)
	matched := 0
	for range 100_000 {
		line := slices.Clone(last)
		for range 1 + rnd.IntN(3) {
			line[free[rnd.IntN(len(free))]] = odd[rnd.IntN(len(odd))]
		}
		body, ok := f.Match(line)
		if want := json.Valid(line) && whole.Match(line) && !bytes.ContainsRune(line, '\\'); ok != want {
			require.Equal(t, want, ok, "%q", line)
		}
		if ok {
			require.Equal(t, "x", string(body))
			last = line
			matched++
		}
	}
	require.Greater(t, matched, 10_000)
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
		learn(&f, earlier, counts...)
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
	f.Add(earlier, numbered, strings.Replace(numbered, "0001", "0x0y", 1))
	f.Add(`{"seq":1,"at":"2026-03-01","text":"a"}`, `{"seq":2,"at":"2026-03-02","text":"a"}`, `{"seq":3,"at":"2026-03-03","text":"b\n"}`)
	f.Add(`{"text":"a","n":17600000000}`, `{"text":"b","n":17600000001}`, `{"text":"b","n":17600000002}`)
	f.Add(`{"seq":10,"text":"a","text":"b","n":"x"}`, `{"seq":11,"text":"a","text":"b","n":"y"}`, `{"seq":01,"text":"a","text":"c","n":"\"}`)
	f.Fuzz(func(t *testing.T, before, like, line string) {
		var frame jsontext.Frame
		for _, learned := range []string{before, like} {
			if from, to, ok := lastText(learned); ok {
				frame.Learn([]byte(learned), from, to, others(learned)...)
				_, found := frame.Match([]byte(learned))
				require.True(t, found || len(learned)-(to-from) > 1<<10)
			}
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
