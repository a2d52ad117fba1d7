package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

// editor is an editor with one file that is not saved.
type editor struct {
	read    func(ctx context.Context, path string) (string, error)
	written map[string]string
}

func (*editor) CanRead() bool  { return true }
func (*editor) CanWrite() bool { return true }

func (e *editor) ReadTextFile(ctx context.Context, path string) (string, error) {
	return e.read(ctx, path)
}

func (e *editor) WriteTextFile(_ context.Context, path, text string) error {
	e.written[path] = text
	return nil
}

func params(t *testing.T, p map[string]any) string {
	t.Helper()
	raw, err := json.Marshal(p)
	require.NoError(t, err)
	return string(raw)
}

func TestFilesGoThroughTheEditor(t *testing.T) {
	dir, more := t.TempDir(), t.TempDir()
	e := &editor{
		read:    func(context.Context, string) (string, error) { return "one\ntwo\nthree", nil },
		written: map[string]string{},
	}
	c := openWith(t, acp.New(standing("conformant")), agent.Options{Cwd: dir, Roots: []string{more}, Editor: e})
	path := filepath.Join(dir, "new", "tea.md")
	for _, x := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"path": path}, `{"content":"one\ntwo\nthree"}`},
		{map[string]any{"path": path, "line": 2}, `{"content":"two\nthree"}`},
		{map[string]any{"path": path, "line": 2, "limit": 1}, `{"content":"two\n"}`},
		{map[string]any{"path": path, "limit": 7}, `{"content":"one\ntwo\nthree"}`},
		{map[string]any{"path": path, "line": 9}, `{"content":""}`},
		{map[string]any{"path": path, "limit": 0}, `{"content":""}`},
		{map[string]any{"path": filepath.Join(more, "x")}, `{"content":"one\ntwo\nthree"}`},
	} {
		c.prompt("ask fs/read_text_file " + params(t, x.params))
		require.Equal(t, []string{x.want, "done end_turn"}, c.UntilEnd())
	}
	c.prompt("ask fs/write_text_file " + params(t, map[string]any{"path": path, "content": "four"}))
	require.Equal(t, []string{"{}", "done end_turn"}, c.UntilEnd())
	require.Equal(t, map[string]string{path: "four"}, e.written)
	e.read = func(context.Context, string) (string, error) { return "", errors.New("the buffer is gone") }
	c.prompt("ask fs/read_text_file " + params(t, map[string]any{"path": path}))
	require.Equal(t, []string{"-32603 the buffer is gone", "done end_turn"}, c.UntilEnd())
}

func TestFilesOutsideOfTheSessionAreRefused(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(outside, "none"), filepath.Join(dir, "dangling")))
	e := &editor{
		read:    func(context.Context, string) (string, error) { return "secret", nil },
		written: map[string]string{},
	}
	c := openWith(t, acp.New(standing("conformant")), agent.Options{Cwd: dir, Editor: e})
	for _, path := range []string{
		filepath.Join(outside, "x"), filepath.Join(dir, "..", "x"), filepath.Join(dir, "link", "x"), filepath.Join(dir, "dangling"),
		"tea.md", "", dir + "/a\x00b",
	} {
		for _, method := range []string{"fs/read_text_file", "fs/write_text_file"} {
			c.prompt("ask " + method + " " + params(t, map[string]any{"path": path, "content": "x"}))
			got := c.UntilEnd()[0]
			require.Regexp(t, "^-3(2602|2002) ", got, "%q", path)
		}
	}
	require.Empty(t, e.written)
}

func TestAFileRequestEndsWithTheSession(t *testing.T) {
	reading := make(chan struct{})
	e := &editor{read: func(ctx context.Context, _ string) (string, error) {
		close(reading)
		<-ctx.Done()
		return "", ctx.Err()
	}}
	dir := t.TempDir()
	c := openWith(t, acp.New(standing("conformant")), agent.Options{Cwd: dir, Editor: e})
	c.prompt("ask fs/read_text_file " + params(t, map[string]any{"path": filepath.Join(dir, "x")}))
	<-reading
}
