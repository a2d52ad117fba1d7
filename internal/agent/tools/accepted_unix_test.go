//go:build unix

package tools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestAnAcceptedTextIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		before *string // nil if the file is missing
		old    *string
		text   string
		after  string
	}{
		"instead of the whole file":   {new("1\n2\n"), new("1\n2\n"), "one\n2\n", "one\n2\n"},
		"instead of a piece":          {new("0\n1\n2\n"), new("1\n"), "one\n", "0\none\n2\n"},
		"a new file":                  {nil, nil, "one\n", "one\n"},
		"a new file with an old text": {nil, new(""), "one\n", "one\n"},
		"an empty file":               {new(""), new(""), "one\n", "one\n"},
		"nothing":                     {new("1\n"), new("1\n"), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, nil)
			if c.before != nil {
				d.write("a", *c.before)
			}
			require.NoError(t, WriteAccepted(d.ctx, agent.Options{Cwd: d.dir}, agent.AcceptedText{Path: d.path("a"), OldText: c.old, Text: c.text}))
			require.Equal(t, c.after, d.text())
		})
	}
}

func TestAnAcceptedTextThatDoesNotFitIsNotWritten(t *testing.T) {
	for name, c := range map[string]struct {
		path, before string
		old          *string
		text         string
		want         string
	}{
		"another file":         {"a", "mine\n", new("1\n"), "one\n", "not the one in the diff"},
		"no new file":          {"a", "1\n", nil, "one\n", "not the one in the diff"},
		"not an empty file":    {"a", "1\n", new(""), "one\n", "not the one in the diff"},
		"a text twice":         {"a", "1\n1\n", new("1\n"), "one\n", "more than once"},
		"overlapping texts":    {"a", "111", new("11"), "one", "more than once"},
		"a missing file":       {"b", "1\n", new("1\n"), "one\n", "not the one in the diff"},
		"outside":              {"../a", "1\n", new("1\n"), "one\n", "outside the workspace"},
		"a link outside":       {"link", "1\n", new("1\n"), "one\n", "outside the workspace"},
		"below a link":         {"dir/a", "1\n", new("1\n"), "one\n", "outside the workspace"},
		"a dangling link":      {"dangling", "1\n", nil, "one\n", "does not exist"},
		"a directory":          {"sub", "1\n", nil, "one\n", "is a directory"},
		"something else":       {"a", "1\n", new("1\n"), "\x00", "is not UTF-8 text"},
		"too much":             {"a", "1\n", new("1\n"), strings.Repeat("x", maxFile+1), "larger than"},
		"not a path":           {"a\x00", "1\n", new("1\n"), "one\n", "not a path"},
		"the directory itself": {"", "1\n", new("1\n"), "one\n", "is a directory"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, map[string]string{"a": c.before, "sub/x": ""})
			outside := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(outside, "a"), []byte(c.before), 0o600))
			require.NoError(t, os.Symlink(filepath.Join(outside, "a"), d.path("link")))
			require.NoError(t, os.Symlink(outside, d.path("dir")))
			require.NoError(t, os.Symlink(filepath.Join(outside, "b"), d.path("dangling")))
			path := d.dir + "/" + c.path
			err := WriteAccepted(d.ctx, agent.Options{Cwd: d.dir}, agent.AcceptedText{Path: path, OldText: c.old, Text: c.text})
			require.ErrorContains(t, err, c.want)
			require.Equal(t, c.before, d.text())
			text, err := os.ReadFile(filepath.Join(outside, "a"))
			require.NoError(t, err)
			require.Equal(t, c.before, string(text))
			require.NoFileExists(t, filepath.Join(outside, "b"))
		})
	}
}

func TestAnAcceptedTextIsNotWrittenAfterACancel(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "1\n"})
	d.cancel()
	err := WriteAccepted(d.ctx, agent.Options{Cwd: d.dir}, agent.AcceptedText{Path: d.path("a"), OldText: new("1\n"), Text: "one\n"})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, "1\n", d.text())
}

// A client's buffer counts, and not the disk.
func TestAnAcceptedTextGoesThroughTheClient(t *testing.T) {
	d := newDesk(t, map[string]string{"a": "old\n"})
	client := &buffer{text: "1\n"}
	o := agent.Options{Cwd: d.dir, Editor: client}
	require.NoError(t, WriteAccepted(d.ctx, o, agent.AcceptedText{Path: d.path("a"), OldText: new("1\n"), Text: "one\n"}))
	require.Equal(t, "one\n", client.text)
	require.Equal(t, "old\n", d.text())
	client.fails = errors.New("the disk is full")
	err := WriteAccepted(d.ctx, o, agent.AcceptedText{Path: d.path("a"), OldText: new("one\n"), Text: "two\n"})
	require.ErrorContains(t, err, "the disk is full")
}

// A buffer is a client's file system with one file.
type buffer struct {
	text  string
	fails error
}

func (*buffer) CanRead() bool                                          { return true }
func (*buffer) CanWrite() bool                                         { return true }
func (b *buffer) ReadTextFile(context.Context, string) (string, error) { return b.text, nil }
func (b *buffer) WriteTextFile(_ context.Context, _, text string) error {
	if b.fails == nil {
		b.text = text
	}
	return b.fails
}
