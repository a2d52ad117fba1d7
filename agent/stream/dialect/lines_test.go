package dialect_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
)

// fragments are ways in which the same bytes may arrive.
var fragments = map[string]func(io.Reader) io.Reader{
	"as they come":          func(r io.Reader) io.Reader { return r },
	"byte by byte":          iotest.OneByteReader,
	"in halves":             iotest.HalfReader,
	"the end with the data": iotest.DataErrReader,
}

func TestLinesAreReassembledFromAnyPieces(t *testing.T) {
	long := strings.Repeat("long line ", 30000)
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":                    {"", nil},
		"one line":                   {"a\n", []string{"a"}},
		"half a line at the end":     {"a\nb", []string{"a", "b"}},
		"only half a line":           {"b", []string{"b"}},
		"CR LF":                      {"a\r\nb\r\n\r\nc\r", []string{"a", "b", "c"}},
		"blank lines":                {"\n\n\na\n\n\nb\n\n", []string{"a", "b"}},
		"CR within a line":           {"a\rb\n", []string{"a\rb"}},
		"a line beyond the buffers":  {"a\n" + long + "\nb\n", []string{"a", long, "b"}},
		"long half a line":           {"a\n" + long, []string{"a", long}},
		"many lines":                 {strings.Repeat("line\n", 20000), slicesRepeat("line", 20000)},
		"bytes that are not UTF-8":   {"a\xffb\n\xe2\x82\n\xac\n", []string{"a\ufffdb", "\ufffd", "\ufffd"}},
		"characters cut by the read": {strings.Repeat("€🙂ä\n", 9000), slicesRepeat("€🙂ä", 9000)},
	} {
		for how, fragment := range fragments {
			for way, collect := range readers {
				t.Run(name+", "+how+", "+way, func(t *testing.T) {
					got, err := collect(t, fragment(strings.NewReader(c.in)), plainDecoder{}, discard())
					require.NoError(t, err)
					requireLines(t, c.want, got)
				})
			}
		}
	}
}

func TestTheLastLineIsFoundBeforeAnyRemainder(t *testing.T) {
	for n := range 1200 {
		rest := strings.Repeat("b", n)
		for _, lines := range []string{"a\n", strings.Repeat("a", 700) + "\na\n"} {
			pieces := io.MultiReader(strings.NewReader(lines+rest), strings.NewReader("c\n"))
			got, err := pumped(t, pieces, plainDecoder{}, discard())
			require.NoError(t, err)
			require.Equal(t, strings.Split(lines+rest+"c", "\n"), got, "%d bytes", n)
		}
	}
}

func slicesRepeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestLinesUpToTheLimitAreReadAndLongerOnesSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		in      string
		lengths []int
	}{
		"just the limit":               {"a\n" + strings.Repeat("x", dialect.MaxLine) + "\nb\n", []int{1, dialect.MaxLine, 1}},
		"just the limit, at the end":   {strings.Repeat("x", dialect.MaxLine), []int{dialect.MaxLine}},
		"one byte more":                {"a\n" + strings.Repeat("x", dialect.MaxLine+1) + "\nb\n", []int{1, 1}},
		"much more":                    {"a\n" + strings.Repeat("x", dialect.MaxLine+100<<10) + "\nb\nc", []int{1, 1, 1}},
		"more, and then nothing":       {"a\n" + strings.Repeat("x", dialect.MaxLine+5), []int{1}},
		"more, after much in one read": {strings.Repeat("y\n", 30001) + strings.Repeat("x", dialect.MaxLine+1) + "\nb\n", nil},
	} {
		for way, collect := range readers {
			t.Run(name+", "+way, func(t *testing.T) {
				log, text := logged()
				got, err := collect(t, strings.NewReader(c.in), plainDecoder{}, log)
				require.NoError(t, err)
				if c.lengths == nil {
					require.Len(t, got, 30002)
					require.Equal(t, "b", got[30001])
					return
				}
				require.Len(t, got, len(c.lengths))
				for i, n := range c.lengths {
					require.Len(t, got[i], n)
				}
				require.Equal(t, strings.Contains(name, "more"), strings.Contains(text.String(), "longer than"), "it is logged")
			})
		}
	}
}

func TestInvalidLinesAreSkippedAndLogged(t *testing.T) {
	for way, collect := range readers {
		t.Run(way, func(t *testing.T) {
			log, text := logged()
			got, err := collect(t, strings.NewReader("a\n?what\nb\n!bad "+strings.Repeat("z", 500)+"\nc\n"), plainDecoder{}, log)
			require.NoError(t, err)
			require.Equal(t, []string{"a", "b", "c"}, got)
			require.Contains(t, text.String(), "?what")
			require.Contains(t, text.String(), "malformed bang event: odd")
			require.Contains(t, text.String(), "!bad zzz", "with the bytes of the event")
			require.NotContains(t, text.String(), strings.Repeat("z", 300), "but not with all of many")
		})
	}
}

func TestAReadErrorEndsTheStreamAfterTheReadLines(t *testing.T) {
	for way, collect := range readers {
		t.Run(way, func(t *testing.T) {
			r := io.MultiReader(strings.NewReader("a\nb\n"), iotest.ErrReader(errOdd))
			got, err := collect(t, r, plainDecoder{}, discard())
			require.ErrorIs(t, err, errOdd)
			require.Equal(t, []string{"a", "b"}, got)
		})
	}
}

func TestReadStopsWhenItsConsumerStops(t *testing.T) {
	var got []string
	require.NoError(t, dialect.Read(strings.NewReader("a\nb\nc\n"), plainDecoder{}, discard(), func(e agent.Event) bool {
		got = append(got, text(e))
		return len(got) < 2
	}))
	require.Equal(t, []string{"a", "b"}, got)
}

func TestAutoKeepsTheRecognisedDialect(t *testing.T) {
	auto := dialect.Auto(plain, native.Dialect)
	require.Equal(t, "auto", auto.Name)
	require.False(t, auto.Recognise([]byte(`{"type":"done"}`)), "auto is no dialect to be recognised")
	for in, want := range map[string][]string{
		"x\n{\"type\":\"mystery\"}\nplain a\nb\n{\"type\":\"done\"}\n":         {`{"type":"mystery"}`, "plain a", "b", `{"type":"done"}`},
		"x\n{\"type\":\"run_start\"}\nplain a\n{\"type\":\"done\"}\nplain b\n": {"run_start", "done"},
		"x\ny\n":                   nil,
		"{\"type\":\"mystery\"}\n": {`{"type":"mystery"}`},
	} {
		got, err := read(t, strings.NewReader(in), auto.NewDecoder(), discard())
		require.NoError(t, err)
		require.Equal(t, want, got, "%q", in)
	}
	one, two := auto.NewDecoder(), auto.NewDecoder()
	got, err := read(t, strings.NewReader("plain\nq\n"), one, discard())
	require.NoError(t, err)
	require.Equal(t, []string{"plain", "q"}, got)
	got, err = read(t, strings.NewReader("q\n"), two, discard())
	require.NoError(t, err)
	require.Empty(t, got, "each stream is recognised for itself")
}

func FuzzPumpAndReadAgree(f *testing.F) {
	f.Add([]byte("{\"type\":\"done\"}\n\r\nx\n{\"type\":\"text_delta\",\"text\":\"\xff\"}"), uint8(0))
	f.Add([]byte("a\nb\r\n\nc"), uint8(3))
	f.Fuzz(func(t *testing.T, in []byte, cut uint8) {
		auto := dialect.Auto(plain, native.Dialect)
		var want []string
		for line := range strings.SplitSeq(string(in), "\n") {
			line = strings.TrimSuffix(line, "\r")
			if line != "" && line[0] != '?' && line[0] != '!' {
				want = append(want, strings.ToValidUTF8(line, "\ufffd"))
			}
		}
		for _, fragment := range fragments {
			got, err := pumped(t, fragment(&slow{string(in), int(cut)}), plainDecoder{}, discard())
			require.NoError(t, err)
			require.Equal(t, want, got)
			got, err = read(t, fragment(&slow{string(in), int(cut)}), plainDecoder{}, discard())
			require.NoError(t, err)
			require.Equal(t, want, got)

			byPump, err := pumped(t, fragment(&slow{string(in), int(cut)}), auto.NewDecoder(), discard())
			require.NoError(t, err)
			byRead, err := read(t, fragment(&slow{string(in), int(cut)}), auto.NewDecoder(), discard())
			require.NoError(t, err)
			require.Equal(t, byPump, byRead)
			for _, line := range byPump {
				require.True(t, utf8.ValidString(line))
			}
		}
	})
}

// slow returns at most size+1 bytes at a time.
type slow struct {
	rest string
	size int
}

func (s *slow) Read(p []byte) (int, error) {
	if s.rest == "" {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), s.size+1)], s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
