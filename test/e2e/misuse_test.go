//go:build unix

package e2e

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// misuses are commands that are given in the wrong way, and what the user is told.
var misuses = map[string]struct {
	agent  string // --agent
	script string
	says   string
	ends   bool   // the command fails at once, because no agent prints that
	rule   string // of turnwire check
}{
	"an echo":                {"", `cat`, "The program repeats its input. Check the command after --", false, "echo"},
	"an ACP agent":           {"", `read -r l; echo '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}'; read -r l`, "The program speaks the Agent Client Protocol. Use --agent acp", false, "speaks-acp"},
	"a mute ACP agent":       {"", `read -r l; echo 'Invalid message {' >&2; while read -r l; do :; done`, "The program speaks the Agent Client Protocol. Use --agent acp", false, "speaks-acp"},
	"stream-json":            {"", `read -r l; echo '{"type":"system","subtype":"test","session_id":"s"}'; read -r l`, "stream-json. Use --agent claude", false, "stream-json"},
	"events on stderr":       {"", `while read -r l; do echo '{"type":"text_delta","text":"x"}' >&2; done`, "The program prints its events to stderr. Print events to stdout", false, "events-on-stderr"},
	"a wait for the end":     {"", `x=; while read -r l; do x=$l; done; echo '{"type":"done","text":""}'`, "The agent has printed nothing yet. Unless it is just slow: read stdin line by line", false, "not-flushed"},
	"events behind acp":      {"acp", `echo '{"type":"agent_info","name":"x"}'; while read -r l; do :; done`, "the program prints events instead of speaking the Agent Client Protocol; remove --agent acp", true, "prints-events"},
	"a mute agent with acp":  {"acp", `while read -r l; do :; done`, "has not responded yet; it may still be starting; if it prints events, remove --agent acp", false, "acp-no-answer"},
	"an echo behind acp":     {"acp", `cat`, "the program repeats its input; check the command after --", true, "echo"},
	"stream-json behind acp": {"acp", `read -r l; echo '{"type":"system","subtype":"test","session_id":"s"}'; read -r l`, "the program prints Claude Code's stream-json; use --agent claude", true, "stream-json"},
}

// interruptOnce runs a command, and interrupts it once its output contains says. It
// returns the output. If says is empty, the command ends by itself.
func interruptOnce(t *testing.T, cmd *exec.Cmd, says string) (told string, err error) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	require.NoError(t, cmd.Start())
	stop := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
	defer stop.Stop()
	interrupted := says == ""
	for buffer := make([]byte, 4096); ; {
		n, err := out.Read(buffer)
		told += string(buffer[:n])
		if err != nil {
			require.ErrorIs(t, err, io.EOF)
			return told, cmd.Wait()
		}
		if !interrupted && strings.Contains(told, says) {
			interrupted = true
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
}

func TestWrongCommandsAreExplainedToTheUser(t *testing.T) {
	t.Parallel()
	for name, m := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newUser(t)
			args := []string{"run", "--no-journal", "hello"}
			if m.agent != "" {
				args = append(args, "--agent", m.agent)
			}
			cmd := p.command(append(args, "--", "/bin/sh", "-c", m.script)...)
			cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
			says := m.says
			if m.ends {
				says = ""
			}
			notice, err := interruptOnce(t, cmd, says)
			require.Error(t, err)
			require.Contains(t, notice, m.says)
			if m.ends {
				require.Equal(t, 1, cmd.ProcessState.ExitCode(), notice)
			}
		})
	}
}

// An editor shows messages in a session, and errors of requests.
func TestWrongCommandsAreExplainedInEditors(t *testing.T) {
	t.Parallel()
	for name, m := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"acp", "--no-journal", "--log-file", filepath.Join(t.TempDir(), "log")}
			if m.agent != "" {
				args = append(args, "--agent", m.agent)
			}
			e := launch(t, options{args: append(args, "--", "/bin/sh", "-c", m.script)})
			if m.ends {
				failed := e.answer(e.request("initialize", map[string]any{"protocolVersion": 1}))
				require.NotNil(t, failed.Error)
				require.Contains(t, failed.Error.Message, m.says)
				return
			}
			e.prompt(e.open(t.TempDir()), "hello")
			e.saw(m.says)
		})
	}
}

func TestDoctorTellsOfWrongCommandsAtOnce(t *testing.T) {
	t.Parallel()
	for name, m := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newUser(t)
			args := []string{"doctor"}
			if m.agent != "" {
				args = append(args, "--agent", m.agent)
			}
			cmd := p.command(append(args, "--", "/bin/sh", "-c", m.script)...)
			cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
			says := ""
			if m.rule == "not-flushed" || m.rule == "acp-no-answer" {
				says = m.says // the agent may just be slow, so doctor waits for it
			}
			told, _ := interruptOnce(t, cmd, says)
			require.Contains(t, told, m.says)
			require.Equal(t, 1, cmd.ProcessState.ExitCode(), told)
		})
	}
}

func TestCheckNamesWrongCommands(t *testing.T) {
	t.Parallel()
	for name, m := range misuses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := []string{"--timeout", overdue}
			if m.agent != "" {
				args = append(args, "--acp")
			}
			all, code := check(t, "", append(args, "--", "/bin/sh", "-c", m.script)...)
			require.Equal(t, 1, code)
			found := rule(all, m.rule)
			require.NotNil(t, found, "%+v", all)
			require.NotEmpty(t, found.Help)
			require.Nil(t, rule(all, "no-done"), "%+v", all)
			require.Nil(t, rule(all, "unknown-event"), "%+v", all)
			switch m.rule {
			case "events-on-stderr":
				require.Nil(t, rule(all, "silent"), "the cause is told instead: %+v", all)
			case "not-flushed":
				require.Contains(t, found.Message, "a second process answered")
			case "acp-no-answer":
				require.Contains(t, found.Help, "If it prints events")
				require.Contains(t, rule(all, "silent").Help, "if it prints events")
			}
		})
	}
}

func TestAWrongCommandOfAKnownAgentNamesTheAgent(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	require.NoError(t, os.WriteFile(filepath.Join(p.path, "gemini"), []byte("#!/bin/sh\necho 'not a terminal' >&2\nexit 3\n"), 0o755))
	got := p.run("run", "hello", "--", "gemini", "--acp")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stdout+got.stderr, "the program gemini speaks the Agent Client Protocol; use --agent gemini. The agent stopped (exit status 3).")
}
