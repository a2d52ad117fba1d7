package transcript_test

import (
	"bytes"
	"errors"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/transcript"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/test/golden"
)

var begun = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

// records reads lines with a type and data. Like a store, it may reuse the memory of a
// record for the next one.
func records(text string, end error) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		var memory []byte
		var seq int64
		for line := range strings.Lines(text) {
			seq++
			kind, data, _ := strings.Cut(strings.TrimSpace(line), " ")
			for i := range memory {
				memory[i] = '#'
			}
			memory = append(memory[:0], data...)
			r := journal.Record{Seq: seq, Type: kind, Data: memory}
			if kind == journal.TypePrompt {
				r.Time = begun.Add(time.Duration(seq) * time.Second)
			}
			if !yield(r, nil) {
				return
			}
		}
		if end != nil {
			yield(journal.Record{}, end)
		}
	}
}

var session = journal.Summary{
	Header:  journal.Header{ID: "tw-1\x1b", Agent: "workspace", Cwd: "/w <w>", Created: begun},
	Title:   "A *title* \x1b[31m<h1>\u202e",
	Updated: begun.Add(time.Hour),
}

func write(t *testing.T, format string, items iter.Seq2[transcript.Item, error]) string {
	t.Helper()
	var out bytes.Buffer
	document := transcript.Markdown
	if format == "html" {
		document = transcript.HTML
	}
	require.NoError(t, document(&out, session, items))
	return out.String()
}

// style matches the style sheet, which is the same in every page.
var style = regexp.MustCompile(`(?s)<style>.*</style>`)

func TestGolden(t *testing.T) {
	golden.Each(t, "testdata/*.txtar", func(t *testing.T, path string) {
		archive := golden.Read(t, path)
		sections := archive.Sections()
		require.Equal(t, "records", sections[0].Name)
		text := string(sections[0].Data)
		archive.Add("records", text)
		for _, f := range sections[1:] {
			document := write(t, f.Name, transcript.Items(transcript.Read(records(text, nil), "/w")))
			archive.Add(f.Name, style.ReplaceAllString(document, "<style></style>"))
		}
		archive.Check(t)
	})
}

func TestReadableEntriesComeBeforeAnError(t *testing.T) {
	const text = `prompt {"type":"prompt","turnId":"t","text":"hi","prompt":[{"type":"text","text":"hi"}]}
event {"type":"text_delta","messageId":"m","text":"well"}
`
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		records iter.Seq2[journal.Record, error]
		says    string
	}{
		"of the store":        {records(text, broken), "broken"},
		"of a record":         {records(text+"command 5\n", nil), "record 3: "},
		"of a record's shape": {records(text+"answer []\n", nil), "record 3: "},
	} {
		t.Run(name, func(t *testing.T) {
			var kinds []transcript.Kind
			var failed error
			for i, err := range transcript.Items(transcript.Read(c.records, "/w")) {
				if err != nil {
					failed = err
					continue
				}
				kinds = append(kinds, i.Kind)
			}
			require.ErrorContains(t, failed, c.says)
			require.Equal(t, []transcript.Kind{transcript.Prompt, transcript.Message, transcript.Ended}, kinds)
		})
	}
}

func TestAReaderMayStopAnywhere(t *testing.T) {
	text := string(golden.Read(t, "testdata/native.txtar").Sections()[0].Data)
	parts := count(t, transcript.Read(records(text, nil), "/w"), -1)
	for n := range parts {
		require.Equal(t, n+1, count(t, transcript.Read(records(text, nil), "/w"), n+1))
	}
	items := count(t, transcript.Items(transcript.Read(records(text, nil), "/w")), -1)
	for n := range items {
		require.Equal(t, n+1, count(t, transcript.Items(transcript.Read(records(text, nil), "/w")), n+1))
	}
}

// count counts the values of a sequence, and stops it at limit.
func count[V any](t *testing.T, all iter.Seq2[V, error], limit int) (n int) {
	t.Helper()
	for _, err := range all {
		require.NoError(t, err)
		if n++; n == limit {
			break
		}
	}
	return n
}

// tag matches anything that a browser treats as the beginning of a tag.
var tag = regexp.MustCompile(`<[a-zA-Z/!?][^>]*>`)

// ours matches the tags that this package writes.
var ours = regexp.MustCompile(`^</?(html|head|meta|title|style|body|header|h1|h2|h3|dl|div|dt|dd|main|section|time|details|summary|span|figure|figcaption|pre|ul|li|strong|em|p|!doctype html)( (lang|charset|name|content|http-equiv|dir|class)="[^"<>]*")*( open)?>$|^<img alt="image" src="data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*">$`)

// FuzzDocuments checks that a page contains no markup except this package's own.
func FuzzDocuments(f *testing.F) {
	for _, path := range []string{"testdata/native.txtar", "testdata/acp.txtar"} {
		f.Add(string(golden.Read(f, path).Sections()[0].Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []string{"md", "html"} {
			var out bytes.Buffer
			document := transcript.Markdown
			if format == "html" {
				document = transcript.HTML
			}
			if document(&out, session, transcript.Items(transcript.Read(records(text, nil), "/w"))) != nil {
				continue
			}
			require.NotContains(t, out.String(), "\x1b")
			require.NotContains(t, out.String(), "\u202e")
			if format == "html" {
				for _, found := range tag.FindAllString(style.ReplaceAllString(out.String(), ""), -1) {
					require.Regexp(t, ours, found)
				}
			}
		}
	})
}
