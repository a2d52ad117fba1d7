//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAgentIsGivenPromptsAndItsTextIsShown(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "echo")})
	s := e.open(t.TempDir())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "one")))
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "three")))
	require.Equal(t, "echo of 3 bytes: oneecho of 5 bytes: three", e.text())
}

func TestLinesThatAreNotEventsAreSkipped(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "noisy")})
	s := e.open(t.TempDir())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "go")))
	const turn = `one two three\n\n> ⚠ 9 events could not be read \(line \d+: [^)]*\); run “turnwire check -- COMMAND” for details\n\n`
	require.Regexp(t, "^"+turn+"$", e.text())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "once more")))
	require.Regexp(t, "^("+turn+"){2}$", e.text())
}

func TestAnUnterminatedLineAtTheExitIsRead(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "half-a-line")})
	s := e.open(t.TempDir())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "go")))
	require.Equal(t, "the last words", e.text())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "again, with a new process")))
}

func TestAFloodOnStderrBlocksNothing(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "stderr-flood")})
	s := e.open(t.TempDir())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "go")))
	// On a busy machine this takes so long that the user is told about the
	// silence.
	require.True(t, strings.HasSuffix(e.text(), "after 10 MB of stderr"), e.text())
}

func TestExitDuringATurnIsAnErrorAndTheNextPromptRestarts(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "crash")})
	s := e.open(t.TempDir())
	m := e.answer(e.prompt(s, "go"))
	require.NotNil(t, m.Error, m.line)
	require.Equal(t, -32603, m.Error.Code)
	require.Equal(t, "agent_exited", m.Error.Data.Code)
	require.Contains(t, m.Error.Data.Details, "exit status 3")
	require.True(t, strings.HasSuffix(m.Error.Data.Details, "panic: the reason is at the end"), m.Error.Data.Details)
	require.Equal(t, "I am about to", e.text(), "what was said before is shown")
	e.wait("end of the open tool call", func(m message) bool {
		return m.Params.Update.Kind == "tool_call_update" && m.Params.Update.Status == "failed"
	})

	require.Equal(t, "end_turn", e.stops(e.prompt(s, "anew")))
	e.saw("echo of 4 bytes: anew")
}

func TestAnExitBeforeThePromptIsReadIsAnErrorToo(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "crash-before")})
	s := e.open(t.TempDir())
	m := e.answer(e.prompt(s, strings.Repeat("long ", 1<<18)))
	require.NotNil(t, m.Error, m.line)
	require.Contains(t, m.Error.Data.Details, "exit status 4")
	require.Contains(t, m.Error.Data.Details, "no configuration")
}

func TestAnAgentThatNeverReadsCanBeCancelledAndReplaced(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "deaf")})
	s := e.open(t.TempDir())
	long := strings.Repeat("0123456789abcdef", 1<<16)
	id := e.prompt(s, long)
	e.saw("I am deaf")
	e.cancel(s)
	require.Equal(t, "cancelled", e.stops(id))
	require.Equal(t, "end_turn", e.stops(e.prompt(s, long)))
	require.True(t, strings.HasSuffix(e.text(), "echo of 1048576 bytes: 0123456789abcdef0123456789abcdef01234567"), e.text())
}

func TestAnAgentThatIgnoresCancelIsReplaced(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"stubborn", "endless"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := launch(t, options{args: with(t, name)})
			s := e.open(t.TempDir())
			id := e.prompt(s, "go")
			e.saw("on")
			e.cancel(s)
			require.Equal(t, "cancelled", e.stops(id))
			before := e.text()
			require.Equal(t, "end_turn", e.stops(e.prompt(s, "anew")))
			after, ok := strings.CutPrefix(e.text(), before)
			require.True(t, ok)
			require.Regexp(t, `^\n\n> ⚠ .* it does not remember the conversation\.\n\necho of 4 bytes: anew$`, after, "nothing of the abandoned turn comes behind its answer")
		})
	}
}

func TestRequestsThatAnAgentDropsAreWithdrawn(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "impatient")})
	dir := t.TempDir()
	pipe := filepath.Join(dir, "asked")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	id := e.prompt(e.open(dir), "go")
	for range 2 {
		asked := e.awaitPermission()
		require.NoError(t, os.WriteFile(pipe, nil, 0o600))
		e.wait("withdrawal", func(m message) bool {
			return m.Method == "$/cancel_request" && string(m.Params.RequestID) == string(asked.ID)
		})
	}
	for _, call := range []string{"question:q", "c"} {
		e.wait("end of "+call, func(m message) bool {
			u := m.Params.Update
			return u.Kind == "tool_call_update" && u.ToolCallID == call && u.Status == "completed"
		})
	}
	require.Equal(t, "end_turn", e.stops(id))
}

func TestAnAgentThatCannotBeStartedIsAnErrorThatSaysWhy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain.txt")
	require.NoError(t, os.WriteFile(plain, []byte("not a program"), 0o600))
	pipe := filepath.Join(dir, "a pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o700))
	for name, c := range map[string]struct{ command, says string }{
		"a named pipe":     {pipe, "is not a file"},
		"no such command":  {"turnwire-e2e-no-such-command", "executable file not found"},
		"no such path":     {filepath.Join(dir, "nothing"), "no such file or directory"},
		"not executable":   {plain, "permission denied"},
		"only a directory": {dir, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := launch(t, options{args: []string{"acp", "--", c.command}})
			require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
			for range 2 {
				m := e.answer(e.request("session/new", map[string]any{"cwd": t.TempDir(), "mcpServers": []any{}}))
				require.NotNil(t, m.Error, m.line)
				require.Equal(t, -32603, m.Error.Code)
				require.Equal(t, "agent_start_failed", m.Error.Data.Code)
				require.Contains(t, m.Error.Data.Details, c.command)
				require.Contains(t, m.Error.Data.Details, c.says)
			}
		})
	}
}

func TestAMissingDirectoryIsASessionError(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: with(t, "echo")})
	require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
	m := e.answer(e.request("session/new", map[string]any{"cwd": filepath.Join(t.TempDir(), "gone"), "mcpServers": []any{}}))
	require.NotNil(t, m.Error, m.line)
	require.Contains(t, m.Error.Data.Details, "gone")
}
