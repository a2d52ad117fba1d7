package e2e

import (
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// treeSize is the minimum number of processes of testdata/tree.sh.
const treeSize = 5

// endings are the ways to end the binary.
var endings = map[string]func(*editor){
	"end of stdin": func(e *editor) { require.NoError(e.t, e.stdin.Close()) },
	"SIGTERM":      signal(syscall.SIGTERM),
	"SIGINT":       signal(syscall.SIGINT),
	"SIGKILL": func(e *editor) {
		e.code, e.crude = -1, true
		signal(syscall.SIGKILL)(e)
	},
	"nobody reads stdout": func(e *editor) {
		e.crude = true
		require.NoError(e.t, e.stdout.Close())
	},
}

func signal(s syscall.Signal) func(*editor) {
	return func(e *editor) { require.NoError(e.t, e.cmd.Process.Signal(s)) }
}

// trees are the states in which an agent has descendants.
var trees = map[string]func(t *testing.T, script, mode string) *editor{
	"process agent in a turn":   processTree,
	"command of the workspace":  workspaceTree,
	"process agent between two": restingTree,
}

func TestEveryKindOfExitLeavesNoProcess(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join("testdata", "tree.sh"))
	require.NoError(t, err)
	for where, grow := range trees {
		for _, mode := range []string{"quiet", "printing"} {
			for how, end := range endings {
				t.Run(where+"/"+mode+"/"+how, func(t *testing.T) {
					t.Parallel()
					e := grow(t, script, mode)
					require.Eventually(t, func() bool { return len(descendants(e.mark)) > treeSize }, patience, 10*time.Millisecond)
					end(e)
					e.end()
				})
			}
		}
	}
}

// processTree is in the middle of a turn of an agent that ignores everything.
func processTree(t *testing.T, script, mode string) *editor {
	mark := newMark()
	e := launch(t, options{mark: mark, args: []string{"acp", "--", "sh", script, mark, mode}})
	e.prompt(e.open(t.TempDir()), "go")
	e.saw("the tree is up")
	return e
}

// restingTree is between two turns: the prompt was cancelled, but the agent has
// not ended its turn.
func restingTree(t *testing.T, script, mode string) *editor {
	e := processTree(t, script, mode)
	m := e.wait("update", func(m message) bool { return m.Params.SessionID != "" })
	e.cancel(m.Params.SessionID)
	require.Equal(t, "cancelled", e.stops(e.last))
	return e
}

func workspaceTree(t *testing.T, script, mode string) *editor {
	mark := newMark()
	e := launch(t, options{mark: mark})
	e.prompt(e.open(t.TempDir()), "/run exec sh '"+script+"' "+mark+" "+mode)
	e.choose(e.awaitPermission(), "allow_once")
	e.wait("output of the command", func(m message) bool { return contains(m.Params.Update.Content, "the tree is up") })
	return e
}

func TestEveryKindOfExitWorksBeforeAnyTurn(t *testing.T) {
	t.Parallel()
	for how, end := range endings {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			e := launch(t, options{})
			if how != "end of stdin" {
				// The process must be running before it can be told to end.
				id := e.request("initialize", map[string]any{"protocolVersion": 1})
				require.Nil(t, e.answer(id).Error)
			}
			end(e)
			e.end()
		})
	}
}

// An editor may end the bridge right after its first response, so the signal
// handlers must be installed earlier.
func TestExitIsOrderlyAfterTheFirstResponse(t *testing.T) {
	t.Parallel()
	const starts = 20 // each one is a race between a response and the signal handlers
	for range starts {
		e := launch(t, options{})
		e.answer(e.request("initialize", map[string]any{"protocolVersion": 1}))
		signal(syscall.SIGTERM)(e)
		e.end()
	}
}

func TestEOFCancelsTheTurnAndSendsItsResponse(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "stubborn")})
	s := e.open(t.TempDir())
	running, waiting := e.prompt(s, "go"), e.prompt(s, "next")
	e.saw("I go on")
	require.NoError(t, e.stdin.Close())
	require.Equal(t, "cancelled", e.stops(running))
	require.Equal(t, "cancelled", e.stops(waiting))
	e.end()
}

func TestEOFRefusesOpenRequests(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := launch(t, options{})
	id := e.prompt(e.open(dir), "/write a.txt text")
	e.awaitPermission()
	require.NoError(t, e.stdin.Close())
	require.Equal(t, "cancelled", e.stops(id))
	e.end()
	require.NoFileExists(t, filepath.Join(dir, "a.txt"))
}

func TestClosingASessionEndsItsProcessesAndNoOthers(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join("testdata", "tree.sh"))
	require.NoError(t, err)
	mark := newMark()
	e := launch(t, options{mark: mark, args: []string{"acp", "--", "sh", script, mark, "quiet"}})
	dirs := []string{t.TempDir(), t.TempDir()}
	sessions := []string{e.open(dirs[0]), e.session(dirs[1])}
	for i, s := range sessions {
		e.prompt(s, "go")
		require.Eventually(t, func() bool { return len(workingIn(dirs[i], mark)) >= treeSize }, patience, 10*time.Millisecond)
	}
	id := e.request("session/close", map[string]any{"sessionId": sessions[0]})
	require.Nil(t, e.answer(id).Error)
	require.Eventually(t, func() bool { return len(workingIn(dirs[0], mark)) == 0 }, patience, 10*time.Millisecond)
	require.GreaterOrEqual(t, len(workingIn(dirs[1], mark)), treeSize)
}

func TestARunWithASilentAgentEndsWhenItsOutputIsClosed(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join("testdata", "tree.sh"))
	require.NoError(t, err)
	mark := newMark()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "run", "go", "--", "sh", script, mark, "quiet")
	cmd.Env = environment(mark)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	_, err = io.ReadFull(out, make([]byte, len("the tree is up")))
	require.NoError(t, err)
	require.NoError(t, out.Close())
	require.Error(t, cmd.Wait())
	require.NoError(t, ctx.Err(), "it did not end")
	require.Empty(t, descendants(mark))
}
