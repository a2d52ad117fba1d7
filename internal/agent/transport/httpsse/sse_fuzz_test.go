package httpsse_test

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// streams are typical streams from servers, and similar input.
var streams = []string{
	"data: a\n\nid: 1\r\ndata:b\r\rdata", ": heart-beat\n\ndata: {\"a\":1}\nid: 7\n\n", "event: error\ndata: one\ndata: two\n\n",
	"retry: 5\n\ndata\n\n", "\xef\xbb\xbfdata: x\n\n", "id: a\x00b\ndata: x\n\n", "{\"a\":1}\n{\"b\":2}\n", "[boot]\n{}\ndata: x\n\n",
	"data: \r\n\r\n", "\n\n\n", "data:\ndata:\n\n", "data: {\ndata: }\n\n", "Data: a\n\n", " data: a\n\n", "",
}

func FuzzEvents(f *testing.F) {
	for _, s := range streams {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := read(t, strings.NewReader(in))
		require.Equal(t, got, read(t, iotest.OneByteReader(strings.NewReader(in))), "however it comes")
		total := 0
		for _, e := range got {
			require.NotEmpty(t, e.Data)
			require.NotContains(t, string(e.Line()), "\n")
			require.NotContains(t, string(e.Line()), "\r")
			total += len(e.Data)
		}
		require.LessOrEqual(t, total, len(in), "nothing is said twice")
	})
}

func read(t *testing.T, r io.Reader) (list []httpsse.Event) {
	t.Helper()
	for e, err := range httpsse.ReadEvents(r) {
		require.NoError(t, err)
		list = append(list, e)
	}
	return list
}

// Well-formed events are read back as they were meant.
func FuzzEventsThatAreWrittenAreReadBack(f *testing.F) {
	f.Add("1", "error", "one\ntwo", "x")
	f.Add("", "", "{\"a\":1}", " leading")
	f.Add("7", "", "ä\n\nb\n", ":")
	f.Fuzz(func(t *testing.T, id, kind, first, second string) {
		// Only these end a line.
		clean := strings.NewReplacer("\r", "", "\x00", "")
		id, kind = strings.ReplaceAll(clean.Replace(id), "\n", ""), strings.ReplaceAll(clean.Replace(kind), "\n", "")
		var want []httpsse.Event
		var out strings.Builder
		for _, data := range []string{clean.Replace(first), clean.Replace(second)} {
			for _, end := range []string{"\n", "\r\n", "\r"} {
				out.WriteString(": a comment" + end + "id: " + id + end + "event: " + kind + end)
				for line := range strings.SplitSeq(data, "\n") {
					out.WriteString("data: " + line + end)
				}
				out.WriteString(end)
				if data != "" {
					want = append(want, httpsse.Event{ID: id, Type: kind, Data: data})
				}
			}
		}
		require.Equal(t, want, read(t, strings.NewReader(out.String())))
	})
}

// Lines returns the lines of the stream itself, or the data of its events.
func FuzzLines(f *testing.F) {
	for _, s := range streams {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		r := httpsse.Lines(iotest.HalfReader(strings.NewReader(in)))
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, r.Close())
		if string(got) == in {
			return
		}
		var data strings.Builder
		for _, e := range read(t, strings.NewReader(in)) {
			data.Write(append(e.Line(), '\n'))
		}
		require.Equal(t, data.String(), string(got))
	})
}
