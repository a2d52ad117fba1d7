package httpsse_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

func TestEventsHaveTheirDataAndTheLastID(t *testing.T) {
	stream := ": hello\n\ndata: {\"a\":1}\r\nid: 7\r\n\r\n: heart-beat\n\nevent: error\ndata: one\ndata: two\n\nid: 9\n\ndata:{\"€\":\n" + "data: 2}\n\ndata: last"
	for name, r := range map[string]io.Reader{
		"at once":      strings.NewReader(stream),
		"byte by byte": iotest.OneByteReader(strings.NewReader(stream)),
	} {
		t.Run(name, func(t *testing.T) {
			var got []httpsse.Event
			for e, err := range httpsse.ReadEvents(r) {
				require.NoError(t, err)
				got = append(got, e)
			}
			require.Equal(t, []httpsse.Event{
				{ID: "7", Data: `{"a":1}`},
				{ID: "7", Type: "error", Data: "one\ntwo"},
				{ID: "9", Data: "{\"€\":\n2}"},
				{ID: "9", Data: "last"},
			}, got)
			require.Equal(t, `{"€": 2}`, string(got[2].Line()))
		})
	}
}

var errCut = errors.New("cut")

func TestAnErrorOfReadingEndsTheEvents(t *testing.T) {
	var got []string
	var failed error
	for e, err := range httpsse.ReadEvents(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(errCut))) {
		if err != nil {
			failed = err
			continue
		}
		got = append(got, e.Data)
	}
	require.ErrorIs(t, failed, errCut)
	require.Equal(t, []string{"a"}, got, "half an event is none")
}

func TestTooLongEventsAreErrors(t *testing.T) {
	for e, err := range httpsse.ReadEvents(io.MultiReader(strings.NewReader("data: "), io.LimitReader(forever('x'), httpsse.MaxEvent+1))) {
		require.ErrorIs(t, err, httpsse.ErrTooLong)
		require.ErrorContains(t, err, fmt.Sprintf("more than %d MiB", httpsse.MaxEvent>>20))
		require.Empty(t, e)
	}
}

// forever reads as the same byte without end.
type forever byte

func (f forever) Read(p []byte) (int, error) {
	n := copy(p, []byte{byte(f)})
	for n > 0 && n < len(p) { // with the race detector, copy is cheap and a loop over bytes is not
		n += copy(p[n:], p[:n])
	}
	return n, nil
}

func TestLinesOfAnEventStreamAreItsData(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"events":             {"data: {\"a\":1}\nid: 1\n\ndata: {\"b\":2}\n\n", "{\"a\":1}\n{\"b\":2}\n"},
		"with a note before": {"# recorded\n\ndata: {\"a\":1}\n\n", "{\"a\":1}\n"},
		"heart-beat first":   {": hi\n\ndata: {}\n\n", "{}\n"},
		"of several lines":   {"data: {\ndata: }\n\n", "{ }\n"},
		"no events":          {"{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n"},
		"no events, a note":  {"[boot] x\n {\"a\":1}\ndata: x\n", "[boot] x\n {\"a\":1}\ndata: x\n"},
		"neither":            {"one\ntwo", "one\ntwo"},
		"nothing":            {"", ""},
		"a long first line":  {strings.Repeat("x", 200<<10) + "\n{}\n", strings.Repeat("x", 200<<10) + "\n{}\n"},
		"many other lines":   {strings.Repeat("x\n", 100) + "data: {}\n\n", strings.Repeat("x\n", 100) + "data: {}\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httpsse.Lines(iotest.HalfReader(strings.NewReader(c.in)))
			got, err := io.ReadAll(r)
			require.NoError(t, err)
			require.Equal(t, c.want, string(got))
			require.NoError(t, r.Close())
		})
	}
}

func TestLinesPassOnTheErrorOfReading(t *testing.T) {
	for name, before := range map[string]string{"at once": "", "of events": "data: x\n\n", "of lines": "{}\n"} {
		t.Run(name, func(t *testing.T) {
			r := httpsse.Lines(io.MultiReader(strings.NewReader(before), iotest.ErrReader(errCut)))
			_, err := io.ReadAll(r)
			require.ErrorIs(t, err, errCut)
			require.NoError(t, r.Close())
		})
	}
}

func TestTooLongErrorsContainTheEventsBeginning(t *testing.T) {
	long := `data: {"id":"x","args":"` + strings.Repeat("y", httpsse.MaxEvent)
	for size, before := range map[int]string{1: "data: 1\n\ndata: 2\n\n", 3: "data: 1\r\n\r\ndata: 2\r\n\r\n", 4096: ""} {
		var last error
		for _, err := range httpsse.ReadEvents(io.MultiReader(&pieces{before + long[:100], size}, strings.NewReader(long[100:]))) {
			last = err
		}
		var e *httpsse.TooLongError
		require.ErrorAs(t, last, &e)
		require.ErrorIs(t, last, httpsse.ErrTooLong)
		require.Equal(t, long[:8<<10], string(e.Head))
	}
}

// pieces returns a text in pieces of a fixed size.
type pieces struct {
	rest string
	size int
}

func (p *pieces) Read(b []byte) (int, error) {
	if p.rest == "" {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.rest)
	p.rest = p.rest[n:]
	return n, nil
}
