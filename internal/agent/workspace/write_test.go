package workspace

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func writable(t *testing.T, holds map[string]string, change ...func(*agent.Options)) *client {
	t.Helper()
	c := open(t, holds, change...)
	c.decide = always(agent.AllowOnce)
	return c
}

func TestWriteCreatesAFileAndItsDirectories(t *testing.T) {
	c := writable(t, nil)
	s := c.turn(`/write "x/y z/new.txt" one\n\ttwo\\n`)
	require.Equal(t, "one\n\ttwo\\n", c.get("x/y z/new.txt"))
	diff := one[*agent.ToolEnd](t, s).Diffs[0]
	require.Equal(t, c.path("x/y z/new.txt"), diff.Path)
	require.Nil(t, diff.OldText)
	require.Equal(t, "one\n\ttwo\\n", diff.NewText)
	require.JSONEq(t, `{"path":"x/y z/new.txt","content":"one\n\ttwo\\n"}`, string(one[*agent.ToolStart](t, s).Args))
	require.Contains(t, one[*agent.ToolEnd](t, s).Result.String(), "Created")
}

func TestWriteReplacesAFileAndKeepsItsMode(t *testing.T) {
	c := writable(t, map[string]string{"a.sh": "a long old text\n"})
	require.NoError(t, os.Chmod(c.path("a.sh"), 0o755))
	before, err := os.Stat(c.path("a.sh"))
	require.NoError(t, err)
	s := c.turn("/write a.sh new", "/write a.sh ")
	require.Len(t, all[*agent.ToolEnd](s), 2)
	require.Equal(t, "a long old text\n", *all[*agent.ToolEnd](s)[0].Diffs[0].OldText)
	require.Empty(t, c.get("a.sh"))
	after, err := os.Stat(c.path("a.sh"))
	require.NoError(t, err)
	require.Equal(t, before.Mode(), after.Mode())
}

func TestAppendAddsALine(t *testing.T) {
	c := writable(t, map[string]string{"open": "one", "dos": "one\r\ntwo", "nl": "one\n"})
	s := c.turn("/append open two", "/append open three", "/append dos 3\\n4", "/append nl two", "/append new first")
	require.Contains(t, s.text(), "All done: 5 steps.")
	require.Equal(t, "one\ntwo\nthree\n", c.get("open"))
	require.Equal(t, "one\r\ntwo\r\n3\r\n4\r\n", c.get("dos"))
	require.Equal(t, "one\ntwo\n", c.get("nl"))
	require.Equal(t, "first\n", c.get("new"))
}

func TestEditReplacesTheOnlyMatch(t *testing.T) {
	c := writable(t, map[string]string{"a": "one two three", "dos": "a\r\nb\r\nc\r\n"})
	c.turn("/edit a two => 2 => II", "/edit dos a\\nb => x\\ny", "/edit dos c => d\\ne")
	require.Equal(t, "one 2 => II three", c.get("a"))
	require.Equal(t, "x\r\ny\r\nd\r\ne\r\n", c.get("dos"))
	c.turn("/edit a  three =>")
	require.Equal(t, "one 2 => II", c.get("a"))
}

func TestEditRequiresExactlyOneMatch(t *testing.T) {
	c := writable(t, map[string]string{"a": "aaa b b"})
	require.Contains(t, c.failure("/edit a x => y"), "the old text is not in the file")
	require.Contains(t, c.failure("/edit a b => y"), "more than once")
	require.Contains(t, c.failure("/edit a aa => y"), "more than once", "also where matches overlap")
	require.Contains(t, c.failure("/edit none x => y"), "does not exist")
	require.Equal(t, "aaa b b", c.get("a"))
}

func TestChangesRefuseFilesThatAreNotText(t *testing.T) {
	c := writable(t, map[string]string{"bin": "a\x00b", "dir/x": "", "large": strings.Repeat("x", (1 << 20)), "file": ""})
	for line, want := range map[string]string{
		"/append bin x":    "is not UTF-8 text",
		"/write bin x":     "is not UTF-8 text",
		"/write dir x":     "is a directory",
		"/write dir/ x":    "names a directory",
		"/append large x":  "larger than the limit",
		"/write file/x y":  "file/x ",
		"/write a/ b":      "names a directory",
		"/write a \\n\x00": "is not UTF-8 text",
	} {
		require.Contains(t, c.failure(line), want, line)
	}
	c.missing("a")
}

func TestAFileThatChangedAfterTheDiffIsLeftAlone(t *testing.T) {
	for _, e := range []*editor{nil, {read: true}, {read: true, write: true}, {write: true}} {
		var options []func(*agent.Options)
		if e != nil {
			e.buffers = map[string]string{}
			options = append(options, with(e))
		}
		c := open(t, map[string]string{"a": "one"}, options...)
		if e != nil {
			e.buffers[c.path("a")] = "one"
		}
		c.decide = func(*agent.ConfirmationRequested) agent.Decision {
			writeFile(t, c.path("a"), "changed")
			writeFile(t, c.path("new"), "appeared")
			if e != nil {
				e.buffers[c.path("a")] = "changed"
				e.buffers[c.path("new")] = "appeared"
			}
			return agent.AllowOnce
		}
		require.Contains(t, c.failure("/edit a one => two"), "changed after the diff was shown")
		require.NoError(t, os.Remove(c.path("new")))
		if e != nil {
			delete(e.buffers, c.path("new"))
		}
		require.Contains(t, c.failure("/write new x"), "changed after the diff was shown")
		require.Equal(t, "changed", c.get("a"))
		require.Equal(t, "appeared", c.get("new"))
	}
}

func TestChangesGoThroughTheEditorIfItWrites(t *testing.T) {
	e := &editor{read: true, write: true, buffers: map[string]string{}}
	c := writable(t, map[string]string{"a": "saved"}, with(e))
	e.buffers[c.path("a")] = "not saved"
	s := c.turn("/edit a not => never", "/write sub/new x")
	require.Contains(t, s.text(), "All done: 2 steps.")
	require.Equal(t, "not saved", *all[*agent.ToolEnd](s)[0].Diffs[0].OldText)
	require.Equal(t, "never saved", e.buffers[c.path("a")])
	require.Equal(t, "saved", c.get("a"), "saving is the editor's")
	require.Equal(t, "x", e.buffers[c.path("sub/new")])
	require.DirExists(t, c.path("sub"))
}

func TestChangesGoToTheDiskIfTheEditorOnlyReads(t *testing.T) {
	e := &editor{read: true, buffers: map[string]string{}}
	c := writable(t, map[string]string{"a": "saved"}, with(e))
	e.buffers[c.path("a")] = "not saved"
	c.turn("/append a more")
	require.Equal(t, "not saved\nmore\n", c.get("a"))
}

// vague is an editor that returns an empty text for a missing file, as some
// editors do, and that can't write.
type vague struct{}

func (vague) CanRead() bool  { return true }
func (vague) CanWrite() bool { return false }

func (vague) ReadTextFile(context.Context, string) (string, error) { return "", nil }

func (vague) WriteTextFile(context.Context, string, string) error { return errors.ErrUnsupported }

func TestAnEmptyAnswerForAMissingFileMeansNoFile(t *testing.T) {
	c := writable(t, nil, func(o *agent.Options) { o.Editor = vague{} })
	require.Nil(t, one[*agent.ToolEnd](t, c.turn("/write new x")).Diffs[0].OldText)
	require.Equal(t, "x", c.get("new"))
}
