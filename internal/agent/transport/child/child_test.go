//go:build unix

package child_test

import (
	"context"
	"crypto/sha256"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

// These tests run real processes, which are what the package starts, ends and cleans up
// after. They wait for a process's output and for its end, and use limits.Eventually
// for effects without output.

// start runs a shell script, and ends it with the test.
func start(t *testing.T, s child.Spec, script string) *child.Child {
	t.Helper()
	s.Args = []string{"sh", "-c", script}
	c, err := child.Start(s)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func readAll(t *testing.T, c *child.Child) string {
	t.Helper()
	b, err := io.ReadAll(c.Stdout())
	require.NoError(t, err)
	return string(b)
}

// readLine reads byte by byte, so that it consumes nothing of the next line.
func readLine(t *testing.T, r io.Reader) string {
	t.Helper()
	var line []byte
	for {
		var b [1]byte
		_, err := io.ReadFull(r, b[:])
		require.NoError(t, err, "after %q", line)
		if b[0] == '\n' {
			return string(line)
		}
		line = append(line, b[0])
	}
}

func TestStatusIsThatOfTheCommand(t *testing.T) {
	for script, want := range map[string]string{
		"exit 0":        "exit status 0",
		"exit 3":        "exit status 3",
		"exit 255":      "exit status 255",
		"kill -TERM $$": "signal: terminated",
		"kill -KILL $$": "signal: killed",
	} {
		c := start(t, child.Spec{}, script)
		require.Equal(t, want, c.Wait().String(), script)
		require.Equal(t, want, c.Wait().String(), "asked again")
	}
}

func TestFailureToStartIsTheCallersError(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode fs.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	plain := write("plain", "#!/bin/sh\n", 0o600)
	binary := write("binary", "\x00\x01\x02", 0o700)
	script := write("script", "#!/no/such/interpreter\n", 0o700)
	for name, test := range map[string]struct {
		spec child.Spec
		want error
	}{
		"not in PATH":    {child.Spec{Args: []string{"no-such-command-anywhere"}}, exec.ErrNotFound},
		"no such file":   {child.Spec{Args: []string{filepath.Join(dir, "missing")}}, fs.ErrNotExist},
		"not executable": {child.Spec{Args: []string{plain}}, fs.ErrPermission},
		"no program":     {child.Spec{Args: []string{binary}}, syscall.ENOEXEC},
		"no interpreter": {child.Spec{Args: []string{script}}, fs.ErrNotExist},
		"no directory":   {child.Spec{Args: []string{"sh"}, Dir: filepath.Join(dir, "missing")}, fs.ErrNotExist},
		"file as dir":    {child.Spec{Args: []string{"sh"}, Dir: plain}, syscall.ENOTDIR},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := child.Start(test.spec)
			require.ErrorIs(t, err, test.want)
			require.ErrorContains(t, err, test.spec.Args[0], "the error names the command")
		})
	}
	_, err := child.Start(child.Spec{})
	require.Error(t, err)
}

func TestCommandWithASlashIsRelativeToTheCaller(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	require.NoError(t, os.WriteFile("tool", []byte("#!/bin/sh\npwd\n"), 0o700))
	elsewhere := t.TempDir()
	c, err := child.Start(child.Spec{Args: []string{"./tool"}, Dir: elsewhere})
	require.NoError(t, err)
	defer c.Close()
	got, err := filepath.EvalSymlinks(strings.TrimSpace(readAll(t, c)))
	require.NoError(t, err)
	want, err := filepath.EvalSymlinks(elsewhere)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestDataGoesThroughUnchanged(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "cat")
	data := strings.Repeat("0123456789abcdef\r\n\x00\xff", 1<<16)
	wrote := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.Stdin(), data)
		_ = c.Stdin().Close()
		wrote <- err
	}()
	require.Equal(t, sha256.Sum256([]byte(data)), sha256.Sum256([]byte(readAll(t, c))))
	require.NoError(t, <-wrote)
	require.Equal(t, "exit status 0", c.Wait().String())
}

func TestStdinIsEmptyByDefault(t *testing.T) {
	c := start(t, child.Spec{}, "cat; echo end")
	require.Nil(t, c.Stdin())
	require.Equal(t, "end\n", readAll(t, c))
}

func TestEnvironmentIsExactlyTheOneGiven(t *testing.T) {
	env, err := exec.LookPath("env")
	require.NoError(t, err)
	c, err := child.Start(child.Spec{Args: []string{env}, Env: []string{"A=1", "B=two words"}})
	require.NoError(t, err)
	defer c.Close()
	require.ElementsMatch(t, []string{"A=1", "B=two words"}, strings.Split(strings.TrimSpace(readAll(t, c)), "\n"))
}

func TestStderrCanBeMerged(t *testing.T) {
	c := start(t, child.Spec{MergeStderr: true}, "echo one; echo two >&2; echo three")
	require.Equal(t, "one\ntwo\nthree\n", readAll(t, c))
	require.Empty(t, c.StderrTail())
}

func TestWritingToADeadChildFails(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "exit 0")
	c.Wait()
	_, err := io.WriteString(c.Stdin(), "hello")
	require.Error(t, err)
}

func TestStdoutCanBeReadAfterTheEnd(t *testing.T) {
	c := start(t, child.Spec{}, "echo late")
	c.Wait()
	require.Equal(t, "late\n", readAll(t, c))
}

func TestStopEndsAChildThatReadsItsStdin(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "cat; exit 5")
	require.Equal(t, "exit status 5", c.Stop(t.Context()).String())
}

func TestStopAsksWithSIGTERMNext(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")
	require.Equal(t, "ready", readLine(t, c.Stdout()))
	require.Equal(t, "exit status 7", c.Stop(t.Context()).String())
}

func TestStopKillsAtLast(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "trap '' TERM; echo ready; while :; do sleep 0.01; done")
	require.Equal(t, "ready", readLine(t, c.Stdout()))
	require.Equal(t, "signal: killed", c.Stop(t.Context()).String())
}

func TestStopKillsAtOnceWhenTheContextHasEnded(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done")
	require.Equal(t, "ready", readLine(t, c.Stdout()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.Equal(t, "signal: killed", c.Stop(ctx).String())
}

func TestStopKillAndWaitMayRunConcurrently(t *testing.T) {
	c := start(t, child.Spec{Stdin: true}, "cat")
	ended := make(chan struct{})
	const each = 4
	for range each {
		go func() { c.Stop(t.Context()); ended <- struct{}{} }()
		go func() { c.Kill(); ended <- struct{}{} }()
		go func() { c.Wait(); ended <- struct{}{} }()
		go func() { c.Close(); ended <- struct{}{} }()
	}
	for range 4 * each {
		<-ended
	}
}
