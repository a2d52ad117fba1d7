package e2e

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fromEnvironment returns a number that an environment variable may override.
func fromEnvironment(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return usual
}

// descriptors returns a process's number of open files.
func descriptors(t *testing.T, pid int) int {
	t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	require.NoError(t, err)
	return len(open)
}

// maxCycleGrowth bounds, in bytes, how much a process may grow while it opens,
// prompts, closes and loads sessions: all memory is freed, but not returned to
// the system at once.
const maxCycleGrowth = 24 << 20

// Sessions that are opened, prompted, closed, loaded and deleted leave nothing
// behind: no process, no file, no memory. TURNWIRE_CYCLES sets their number.
func TestSessionsThatComeAndGoLeaveNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e := launch(t, options{binary: plainBinary, args: with(t, "chatty")})
	e.answer(e.request("initialize", map[string]any{"protocolVersion": 1}))
	cycle := func() {
		session := e.session(dir)
		named := map[string]any{"sessionId": session}
		require.Equal(t, "end_turn", e.stops(e.prompt(session, "3")))
		require.Nil(t, e.answer(e.request("session/close", named)).Error)
		require.Nil(t, e.answer(e.request("session/load", map[string]any{"sessionId": session, "cwd": dir, "mcpServers": []any{}})).Error)
		require.Equal(t, "end_turn", e.stops(e.prompt(session, "1")))
		require.Nil(t, e.answer(e.request("session/close", named)).Error)
		require.Nil(t, e.answer(e.request("session/delete", named)).Error)
	}
	atRest := func() int { // the last agent has exited
		alone := func() bool { return len(descendants(e.mark)) <= 1 }
		require.Eventually(t, alone, patience, 10*time.Millisecond, "its agents are left")
		return descriptors(t, e.cmd.Process.Pid)
	}
	for range 5 {
		cycle()
	}
	files, used := atRest(), memory(t, e.cmd.Process.Pid)
	cycles := fromEnvironment("TURNWIRE_CYCLES", 50)
	for range cycles {
		cycle()
	}
	require.Eventually(t, func() bool { return atRest() <= files }, patience, 10*time.Millisecond, "files are left open")
	now := memory(t, e.cmd.Process.Pid)
	t.Logf("%d cycles: %d files, %d kB and then %d kB", cycles, files, used>>10, now>>10)
	require.Less(t, now, used+maxCycleGrowth)
}

// maxLoad bounds, in bytes, the memory for writing and loading a session of any
// length.
const maxLoad = 48 << 20

// Writing and loading a long session needs no more memory than a short one.
// TURNWIRE_JOURNAL_MB sets its length.
func TestALongSessionNeedsLittleMemory(t *testing.T) {
	t.Parallel()
	const line = 1 << 10
	dir, state := t.TempDir(), []string{"XDG_STATE_HOME=" + t.TempDir()}
	lines := fromEnvironment("TURNWIRE_JOURNAL_MB", 20) << 20 / line
	args := with(t, "lengthy")
	// Don't use the process's rusage, which starts with this process's memory.
	peak := func(e *editor) int {
		most := memoryAs(t, "VmHWM", e.cmd.Process.Pid)
		require.NoError(t, e.stdin.Close())
		e.end()
		return most
	}
	e := launch(t, options{binary: plainBinary, args: args, env: state})
	session := e.open(dir)
	require.Equal(t, "end_turn", e.stops(e.prompt(session, strconv.Itoa(lines))))
	written := peak(e)

	again := launch(t, options{binary: plainBinary, args: args, env: state})
	seen := again.load(session, dir)
	require.Len(t, seen.calls, lines)
	for call, status := range seen.calls {
		require.Equal(t, "completed", status, call)
	}
	require.Equal(t, "end_turn", again.stops(again.prompt(session, "1")))
	loaded := peak(again)
	t.Logf("%d calls: %d kB to write, %d kB to load", lines, written>>10, loaded>>10)
	require.Less(t, written, maxLoad)
	require.Less(t, loaded, maxLoad)
}
