package e2e

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// maxGrowth bounds the resident memory, in bytes, that an editor which doesn't
// read may cost. It leaves room for the garbage collector on a busy machine; a
// turn's events would take several times as much.
const maxGrowth = 8 << 20

func TestASlowEditorNeedsLittleMemoryAndLosesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		join   string
		events int
	}{"joined": {"--join=true", 300_000}, "each for itself": {"--join=false", 100_000}} {
		t.Run(name, func(t *testing.T) {
			warmUp := c.events // enough to trigger garbage collections
			joined := name == "joined"
			progress := filepath.Join(t.TempDir(), "progress")
			args := append([]string{"acp", c.join}, with(t, "counting", progress)[1:]...)
			e := launch(t, options{binary: plainBinary, args: args, unread: true})
			r := &lines{t: t, r: bufio.NewReaderSize(e.stdout, 64<<10)}
			e.request("initialize", map[string]any{"protocolVersion": 1})
			r.next()
			e.request("session/new", map[string]any{"cwd": t.TempDir(), "mcpServers": []any{}})
			s := r.next().Result.SessionID
			// A first turn touches all the memory that any turn needs.
			require.Equal(t, warmUp, r.count(e.prompt(s, strconv.Itoa(warmUp)), joined))
			before := memory(t, e.cmd.Process.Pid)

			id := e.prompt(s, strconv.Itoa(c.events))
			blocked(t, e.stdout, progress, c.events)
			grown := memory(t, e.cmd.Process.Pid) - before
			require.LessOrEqual(t, grown, maxGrowth, "growth while nobody reads")
			require.Equal(t, c.events, r.count(id, joined))
			require.NoError(t, e.stdin.Close())
			e.end()
		})
	}
}

func TestACancelReachesTheAgentWhileTheEditorDoesNotRead(t *testing.T) {
	t.Parallel()
	progress := filepath.Join(t.TempDir(), "progress")
	e := launch(t, options{args: with(t, "obedient", progress), unread: true})
	r := &lines{t: t, r: bufio.NewReaderSize(e.stdout, 64<<10)}
	e.request("initialize", map[string]any{"protocolVersion": 1})
	r.next()
	e.request("session/new", map[string]any{"cwd": t.TempDir(), "mcpServers": []any{}})
	s := r.next().Result.SessionID
	id := e.prompt(s, "go")
	blocked(t, e.stdout, progress, math.MaxInt)
	e.cancel(s)
	require.Eventually(t, func() bool {
		_, err := os.Stat(progress + ".cancelled")
		return err == nil
	}, patience, 10*time.Millisecond)
	m := r.next()
	for !m.isAnswer(id) {
		m = r.next()
	}
	require.Equal(t, "cancelled", m.Result.StopReason)
	require.NoError(t, e.stdin.Close())
	e.end()
}

// lines reads stdout only when the test asks for it.
type lines struct {
	t *testing.T
	r *bufio.Reader
}

func (l *lines) next() message {
	line, err := l.r.ReadBytes('\n')
	require.NoError(l.t, err)
	m, err := parse(line)
	require.NoError(l.t, err)
	return m
}

// count reads up to a prompt's response. It checks that the numbers arrive in
// order, each in a separate message unless joined, and returns how many there
// are.
func (l *lines) count(id int, joined bool) int {
	n := 0
	for {
		m := l.next()
		if m.isAnswer(id) {
			require.Equal(l.t, "end_turn", m.Result.StopReason)
			return n
		}
		numbers := strings.Fields(m.text())
		if !joined {
			require.Len(l.t, numbers, 1)
		}
		for _, number := range numbers {
			if number != strconv.Itoa(n) {
				require.FailNow(l.t, "a number is lost or out of order", "%s in the place of %d", number, n)
			}
			n++
		}
	}
}

// blocked waits until the agent can no longer write: the editor's pipe is full,
// and the agent's own record of its progress stays the same.
func blocked(t *testing.T, stdout *os.File, progress string, events int) {
	last := -1
	require.Eventually(t, func() bool {
		now := number(progress)
		same := now == last
		last = now
		return same && now < events && full(t, stdout)
	}, patience, 50*time.Millisecond)
}

// full reports whether a write to a pipe would block. A pipe is full if it has
// no page left. Not every page is full, so the number of bytes doesn't show it.
func full(t *testing.T, pipe *os.File) bool {
	raw, err := pipe.SyscallConn() // Fd would make reads block a thread
	require.NoError(t, err)
	var writable []unix.PollFd
	require.NoError(t, raw.Control(func(fd uintptr) {
		end, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", fd), unix.O_WRONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		require.NoError(t, err)
		writable = []unix.PollFd{{Fd: int32(end), Events: unix.POLLOUT}}
	}))
	defer func() { require.NoError(t, unix.Close(int(writable[0].Fd))) }()
	_, err = unix.Poll(writable, 0)
	require.NoError(t, err)
	return writable[0].Revents&unix.POLLOUT == 0
}

func number(path string) int {
	text, _ := os.ReadFile(path) // the file may not exist yet
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return -1
	}
	return n
}

// memory returns a process's memory in bytes.
func memory(t *testing.T, pid int) int {
	t.Helper()
	return memoryAs(t, "VmRSS", pid)
}

// memoryAs returns one of a process's memory figures, in bytes.
func memoryAs(t *testing.T, name string, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(t, err)
	for line := range strings.Lines(string(status)) {
		var kilobytes int
		if n, _ := fmt.Sscanf(line, name+": %d kB", &kilobytes); n == 1 {
			return kilobytes << 10
		}
	}
	require.FailNow(t, "no "+name, "%s", status)
	return 0
}
