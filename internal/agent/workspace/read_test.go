package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// failure runs one line whose tool must fail, and returns the reason.
func (c *client) failure(line string) string {
	c.t.Helper()
	s := c.turn(line, "/say next")
	end := one[*agent.ToolEnd](c.t, s)
	require.False(c.t, end.OK, line)
	require.False(c.t, end.Cancelled, line)
	require.NotEmpty(c.t, end.Error, line)
	require.Contains(c.t, s.text(), "All done: 2 steps, 1 failed.")
	return end.Error
}

func TestReadReturnsTheFile(t *testing.T) {
	c := open(t, map[string]string{"sub/a b.txt": "one\r\ntwo é\n"})
	s := c.turn(`/read "sub/a b.txt"`)
	require.Equal(t, []string{"tool_start", "tool_end"}, s.types())
	start, end := one[*agent.ToolStart](t, s), one[*agent.ToolEnd](t, s)
	require.Equal(t, "read_file", start.ToolName)
	require.JSONEq(t, `{"path":"sub/a b.txt"}`, string(start.Args))
	require.Equal(t, "Read sub/a b.txt", start.Title)
	require.Equal(t, "read", start.Kind)
	require.Equal(t, []agent.Location{{Path: c.path("sub/a b.txt")}}, start.Locations)
	require.True(t, end.OK)
	require.Equal(t, "one\r\ntwo é\n", end.Result.String())
	require.Equal(t, end.Result, one[*agent.ToolEnd](t, c.turn("/read "+quoteWord(c.path("sub/a b.txt")))).Result)
}

func TestReadPrefersTheEditorsBuffer(t *testing.T) {
	e := &editor{read: true, buffers: map[string]string{}}
	c := open(t, map[string]string{"a.txt": "saved"}, with(e))
	e.buffers[c.path("a.txt")] = "not saved"
	e.buffers[c.path("new.txt")] = "never saved"
	require.Equal(t, "not saved", one[*agent.ToolEnd](t, c.turn("/read a.txt")).Result.String())
	require.Equal(t, "never saved", one[*agent.ToolEnd](t, c.turn("/read new.txt")).Result.String())
	require.Contains(t, c.failure("/read none.txt"), "does not exist")
	delete(e.buffers, c.path("a.txt"))
	require.Contains(t, c.failure("/read a.txt"), "resource not found")
}

func TestReadUsesTheDiskIfTheEditorDoesNotRead(t *testing.T) {
	c := open(t, map[string]string{"a.txt": "saved"}, with(&editor{write: true}))
	require.Equal(t, "saved", one[*agent.ToolEnd](t, c.turn("/read a.txt")).Result.String())
}

func TestReadRefusesFilesThatAreNotText(t *testing.T) {
	c := open(t, map[string]string{
		"latin.txt": "caf\xe9", "bin": "a\x00b", "large": strings.Repeat("x", (1<<20)+1), "dir/x": "",
	})
	require.Contains(t, c.failure("/read latin.txt"), "is not UTF-8 text")
	require.Contains(t, c.failure("/read bin"), "is not UTF-8 text")
	require.Contains(t, c.failure("/read large"), "larger than the limit")
	require.Contains(t, c.failure("/read dir"), "dir is a directory")
	require.Contains(t, c.failure("/read none"), "none does not exist")
	require.Regexp(t, "^dir/x/y (cannot be used|does not exist)", c.failure("/read dir/x/y"))
	require.Contains(t, c.failure("/read a\x00b"), "not a path")
}

func TestTheEditorsTextIsCheckedToo(t *testing.T) {
	e := &editor{read: true, buffers: map[string]string{}}
	c := open(t, nil, with(e))
	e.buffers[c.path("a")] = strings.Repeat("x", (1<<20)+1)
	require.Contains(t, c.failure("/read a"), "larger than the limit")
}

func TestNothingOutsideOfTheWorkspaceIsTouched(t *testing.T) {
	outside := t.TempDir()
	writeFile(t, filepath.Join(outside, "secret.txt"), "secret")
	e := &editor{read: true, write: true, buffers: map[string]string{}}
	for name, options := range map[string][]func(*agent.Options){"disk": nil, "editor": {with(e)}} {
		c := open(t, map[string]string{"sub/x": ""}, options...)
		for _, path := range []string{
			"../secret.txt", "sub/../../secret.txt", "..", "/etc/passwd", "/",
			filepath.Join(outside, "secret.txt"), c.dir + "-not/a", filepath.Join(c.dir, "..", "x"),
		} {
			path = quoteWord(path)
			for _, line := range []string{
				"/read " + path, "/list " + path, "/append " + path + " x", "/edit " + path + " secret => x", "/write " + path + " x",
			} {
				require.Regexp(t, "outside the workspace|names a directory", c.failure(line), name+": "+line)
			}
		}
		_, err := os.Lstat(filepath.Join(filepath.Dir(c.dir), "secret.txt"))
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	require.Empty(t, e.buffers)
}

func TestAdditionalDirectoriesBelongToTheWorkspace(t *testing.T) {
	more, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	writeFile(t, filepath.Join(more, "a.txt"), "needle")
	c := open(t, nil, func(o *agent.Options) {
		o.Roots = []string{more, filepath.Join(o.Cwd, "sub"), filepath.Join(more, "none")}
	})
	a := filepath.Join(more, "a.txt")
	s := c.turn("/read " + quoteWord(a))
	require.Equal(t, "needle", one[*agent.ToolEnd](t, s).Result.String())
	result := one[*agent.ToolEnd](t, c.turn("/search needle")).Result.String()
	require.Contains(t, result, filepath.ToSlash(a)+":1: needle")
	require.Contains(t, c.turn("hello").text(), more)
}

func TestAWorkspaceThatDoesNotExistIsAnErrorOfTheStep(t *testing.T) {
	c := open(t, nil, func(o *agent.Options) { o.Cwd = filepath.Join(o.Cwd, "none") })
	for _, line := range []string{"/read a", "/list", "/search x", "/write a b"} {
		require.Contains(t, c.failure(line), "does not exist")
	}
	require.Contains(t, c.turn("hello").text(), "I can't read the workspace")
}

func TestTheAnswerShowsWhatAStepFound(t *testing.T) {
	c := open(t, map[string]string{"a.md": "# Tea\n```sh\nboil water\n```\n"})
	require.Contains(t, c.turn("/list").text(), "```\na.md (27 bytes)\n```\n")
	require.Contains(t, c.turn("/read a.md").text(), "````md\n# Tea\n```sh\nboil water\n```\n````\n")
	require.Contains(t, c.turn("/search boil").text(), "```\na.md:3: boil water\n")
}

func TestListShowsADirectory(t *testing.T) {
	c := open(t, map[string]string{"b.txt": "12345", "a/x": "", "empty/.keep/x": ""})
	end := one[*agent.ToolEnd](t, c.turn("/list"))
	require.Equal(t, "list_files", end.ToolName)
	require.Equal(t, "a/\nb.txt (5 bytes)\nempty/\n", end.Result.String())
	require.Equal(t, "x (0 bytes)\n", one[*agent.ToolEnd](t, c.turn("/list a")).Result.String())
	require.Contains(t, c.failure("/list b.txt"), "is not a directory")
	require.Contains(t, c.failure("/list none"), "does not exist")
	require.NoError(t, os.Remove(c.path("a/x")))
	require.Contains(t, one[*agent.ToolEnd](t, c.turn("/list a")).Result.String(), "is empty")
}

func TestListIsBounded(t *testing.T) {
	c := open(t, nil)
	for i := range 1000 + 1 {
		writeFile(t, c.path(strings.Repeat("x", 1+i%100)+strings.Repeat("y", 1+i/100)), "")
	}
	result := one[*agent.ToolEnd](t, c.turn("/list")).Result.String()
	require.Equal(t, 1000+1, strings.Count(result, "\n"))
	require.Contains(t, result, "Only the first 1000 entries are listed.")
}
