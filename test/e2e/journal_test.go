//go:build unix

package e2e

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A view is everything that an editor was shown of a session.
type view struct {
	said, thought, prompted string
	plan                    string
	calls                   map[string]string // the last status
	results                 map[string]string // the last content
}

// view returns what an editor was shown of a session, starting with a message.
func (e *editor) view(from int) view {
	e.mu.Lock()
	defer e.mu.Unlock()
	v := view{calls: map[string]string{}, results: map[string]string{}}
	for _, m := range e.messages[from:] {
		switch u := m.Params.Update; u.Kind {
		case "agent_message_chunk":
			v.said += m.text()
		case "agent_thought_chunk":
			m.Params.Update.Kind = "agent_message_chunk"
			v.thought += m.text()
		case "user_message_chunk":
			m.Params.Update.Kind = "agent_message_chunk"
			v.prompted += m.text()
		case "plan":
			v.plan = m.line
		case "tool_call", "tool_call_update":
			if u.Status != "" {
				v.calls[u.ToolCallID] = u.Status
			}
			if len(u.Content) > 0 {
				v.results[u.ToolCallID] = string(u.Content)
			}
		}
	}
	return v
}

// load loads a session, and returns what the editor is shown by that.
func (e *editor) load(session, dir string) view {
	e.t.Helper()
	id := e.request("initialize", map[string]any{"protocolVersion": 1})
	require.Nil(e.t, e.answer(id).Error)
	e.mu.Lock()
	from := len(e.messages)
	e.mu.Unlock()
	m := e.answer(e.request("session/load", map[string]any{"sessionId": session, "cwd": dir, "mcpServers": []any{}}))
	require.Nil(e.t, m.Error, m.line)
	return e.view(from)
}

// kills is how often TestAKillLosesNothingThatWasSeen kills.
func kills(t *testing.T) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("TURNWIRE_KILLS")); err == nil {
		return n
	}
	return 20
}

// The process is killed at a random moment of a turn. After that, loading the
// session shows everything that the editor had seen, everything has ended, and
// the next prompt works.
func TestAKillLosesNothingThatWasSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := with(t, "chatty")
	interrupted := 0
	for range kills(t) {
		e := launch(t, options{binary: plainBinary, args: args})
		e.code, e.crude = -1, true
		session := e.open(dir)
		e.stops(e.prompt(session, "2"))
		e.prompt(session, "900")
		until, updates := rand.IntN(6000), 0 // the agent keeps running, so any moment may be hit
		e.wait("updates", func(m message) bool { updates++; return updates >= until || m.isAnswer(e.last) })
		require.NoError(t, e.cmd.Process.Signal(syscall.SIGKILL))
		e.end()
		seen := e.view(0)

		again := launch(t, options{binary: plainBinary, args: args})
		found := again.load(session, dir)
		require.True(t, strings.HasPrefix(found.said, seen.said), "said: %q, and then %q", seen.said, found.said)
		require.True(t, strings.HasPrefix(found.thought, seen.thought))
		require.Contains(t, []string{"2", "2900"}, found.prompted, "it may not have begun")
		for call, status := range seen.calls {
			got, ok := found.calls[call]
			require.True(t, ok, "%s is lost", call) // not Contains, which compares it with every call
			if status == "completed" {
				require.Equal(t, status, got, call)
				require.Equal(t, seen.results[call], found.results[call], call)
			}
		}
		for call, status := range found.calls {
			require.True(t, status == "completed" || status == "failed", "%s has not ended: %s", call, status)
		}
		if turns := strings.Count(found.said, "over."); turns < len(found.prompted)/3+1 {
			interrupted++
			require.Contains(t, found.said, "interrupted")
		}
		require.Equal(t, "end_turn", again.stops(again.prompt(session, "1")))
		require.NoError(t, again.stdin.Close())
		again.end()
	}
	t.Logf("%d turns were interrupted", interrupted)
}

func TestASessionIsOpenInOnlyOneProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := with(t, "chatty")
	first := launch(t, options{args: args})
	session := first.open(dir)
	first.stops(first.prompt(session, "1"))
	second := launch(t, options{args: args})
	second.answer(second.request("initialize", map[string]any{"protocolVersion": 1}))
	load := map[string]any{"sessionId": session, "cwd": dir, "mcpServers": []any{}}
	for _, method := range []string{"session/load", "session/resume", "session/delete"} {
		m := second.answer(second.request(method, load))
		require.NotNil(t, m.Error)
		require.Contains(t, m.Error.Data.Details, "is open in process "+strconv.Itoa(first.cmd.Process.Pid))
	}
	require.Equal(t, "end_turn", first.stops(first.prompt(session, "1")), "it goes on")
	require.NoError(t, first.stdin.Close())
	first.end()
	require.Nil(t, second.answer(second.request("session/resume", load)).Error)
	require.Equal(t, "end_turn", second.stops(second.prompt(session, "1")))
}

// If nothing can be written, the turn continues, and the user is told once.
func TestAnUnwritableStateFolderIsReportedOnce(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	require.NoError(t, os.WriteFile(state+"/turnwire", nil, 0o600)) // a file instead of a folder
	e := launch(t, options{args: with(t, "chatty"), env: []string{"XDG_STATE_HOME=" + state}})
	session := e.open(t.TempDir())
	for range 3 {
		require.Equal(t, "end_turn", e.stops(e.prompt(session, "1")))
	}
	require.Equal(t, 1, strings.Count(e.text(), "no longer saved"), e.text())
}
