//go:build unix

package workspace

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func (c *client) link(target, name string) {
	c.t.Helper()
	require.NoError(c.t, os.Symlink(target, c.path(name)))
}

func TestSymbolicLinksDoNotLeadOut(t *testing.T) {
	outside, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	secret := filepath.Join(outside, "secret.txt")
	writeFile(t, secret, "secret")
	e := &editor{read: true, write: true, buffers: map[string]string{secret: "secret"}}
	for name, options := range map[string][]func(*agent.Options){"disk": nil, "editor": {with(e)}} {
		c := writable(t, nil, options...)
		c.link(secret, "file")
		c.link(outside, "dir")
		c.link("dir", "chain")
		c.link("../"+filepath.Base(outside), "relative")
		c.link(filepath.Join(outside, "new.txt"), "dangling")
		c.link("loop", "loop")
		for _, path := range []string{
			"file", "dir/secret.txt", "dir/new.txt", "dir/new/new.txt", "chain/secret.txt",
			"relative/secret.txt", "dangling", "dangling/x", "loop", "loop/x",
		} {
			for _, line := range []string{
				"/read " + path, "/list " + path, "/append " + path + " x", "/edit " + path + " secret => x", "/write " + path + " x",
			} {
				why := c.failure(line)
				require.Regexp(t, "outside the workspace|to something that does not exist|too many links|does not exist", why, name+": "+line)
				require.NotContains(t, why, outside)
			}
		}
		require.NotContains(t, one[*agent.ToolEnd](t, c.turn("/search secret")).Result.String(), ": secret")
	}
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := os.ReadFile(secret)
	require.NoError(t, err)
	require.Equal(t, "secret", string(data))
}

func TestSymbolicLinksInsideAreFollowed(t *testing.T) {
	c := writable(t, map[string]string{"real/a.txt": "one"})
	c.link("real", "relative")
	c.link(c.path("real"), "absolute")
	c.link("a.txt", "real/link.txt")
	for _, path := range []string{"relative/a.txt", "absolute/a.txt", "real/link.txt"} {
		s := c.turn("/read " + path)
		require.Equal(t, "one", one[*agent.ToolEnd](t, s).Result.String(), path)
		require.Equal(t, c.path("real/a.txt"), one[*agent.ToolStart](t, s).Locations[0].Path)
	}
	c.turn("/write absolute/new/b.txt x")
	require.Equal(t, "x", c.get("real/new/b.txt"))
}

func TestAllowAlwaysIsForTheFileAndNotForItsName(t *testing.T) {
	c := open(t, map[string]string{"a": "", "b": ""})
	c.decide = always(agent.AllowAlways)
	c.link("a", "link")
	require.Len(t, all[*agent.ConfirmationRequested](c.turn("/write link 1", "/write a 2")), 1)
	require.NoError(t, os.Remove(c.path("link")))
	c.link("b", "link")
	require.Len(t, all[*agent.ConfirmationRequested](c.turn("/write link 3")), 1)
}

func TestPathsKeepTheEditorsNameForTheWorkspace(t *testing.T) {
	e := &editor{read: true, buffers: map[string]string{}}
	var named, real string
	c := open(t, map[string]string{"real/a.txt": "saved"}, with(e), func(o *agent.Options) {
		real, named = filepath.Join(o.Cwd, "real"), filepath.Join(o.Cwd, "named")
		require.NoError(t, os.Symlink(real, named))
		o.Cwd = named
	})
	e.buffers[filepath.Join(named, "a.txt")] = "not saved"
	for _, path := range []string{"a.txt", filepath.Join(named, "a.txt"), filepath.Join(real, "a.txt")} {
		s := c.turn("/read " + quoteWord(path))
		require.Equal(t, "not saved", one[*agent.ToolEnd](t, s).Result.String(), path)
	}
}

func TestADirectoryReplacedByALinkStaysConfined(t *testing.T) {
	outside := t.TempDir()
	c := open(t, map[string]string{"sub/a": "one"})
	c.decide = func(*agent.ConfirmationRequested) agent.Decision {
		require.NoError(t, os.RemoveAll(c.path("sub")))
		c.link(outside, "sub")
		return agent.AllowOnce
	}
	require.NotEmpty(t, c.failure("/write sub/new x"))
	require.NoError(t, os.Remove(c.path("sub")))
	writeFile(t, c.path("sub/a"), "one")
	writeFile(t, filepath.Join(outside, "a"), "one")
	require.NotEmpty(t, c.failure("/write sub/a x"))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	data, err := os.ReadFile(filepath.Join(outside, "a"))
	require.NoError(t, err)
	require.Equal(t, "one", string(data))
}

func TestSpecialFilesAreRefused(t *testing.T) {
	c := writable(t, nil)
	require.NoError(t, syscall.Mkfifo(c.path("pipe"), 0o600))
	for _, line := range []string{"/read pipe", "/append pipe x", "/edit pipe a => b", "/write pipe x"} {
		require.Contains(t, c.failure(line), "pipe is not a regular file")
	}
	require.Contains(t, c.failure("/list pipe"), "is not a directory")
	require.Contains(t, one[*agent.ToolEnd](t, c.turn("/list")).Result.String(), "pipe (special file)")
	require.True(t, one[*agent.ToolEnd](t, c.turn("/search x")).OK)
}
