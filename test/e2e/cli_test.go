//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A result is the outcome of a command that exits by itself.
type result struct {
	stdout, stderr string
	code           int
}

// turnwire runs a command until it exits.
func turnwire(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return runBinary(t, binary, stdin, args...)
}

// plainTurnwire is turnwire without the race detector, which takes several times as
// long to start. Use it for many runs of commands that only convert or print.
func plainTurnwire(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return runBinary(t, plainBinary, stdin, args...)
}

func runBinary(t *testing.T, path, stdin string, args ...string) result {
	t.Helper()
	mark := newMark()
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = environment(mark)
	cmd.Dir = t.TempDir()
	cmd.Stdin = strings.NewReader(stdin)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	require.Empty(t, descendants(mark))
	return result{
		stdout: strings.ReplaceAll(stdout.String(), cmd.Dir, "$WORK"),
		stderr: stderr.String(),
		code:   cmd.ProcessState.ExitCode(),
	}
}

func TestWithoutACommandATerminalGetsAChat(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	cmd := p.command("--log-level", "debug")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color")
	cmd.Dir = p.work
	u := inTerminal(t, cmd)
	u.sees("Enter sends")
	u.types("/say the answer\r")
	u.sees("All done: 1 step.")
	u.types("\x03\x03")
	require.Zero(t, u.ends())
}

func TestAWrongCommandLineSaysWhatToWrite(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"rnu hello":            `unknown command "rnu"; did you mean run?`,
		"sh agent.sh":          `unknown command "sh"; did you mean "turnwire run -- sh agent.sh"?`,
		"run sh agent.sh":      `put it in quotes; did you mean "turnwire run -- sh agent.sh"?`,
		"chat sh agent.sh":     `put it in quotes; did you mean "turnwire chat -- sh agent.sh"?`,
		"run --agnt ethos hi":  "unknown flag: --agnt; did you mean --agent?",
		"run --timeout 5 hi":   `--timeout "5": must be a time with a unit, such as 5s`,
		"run --allow bash hi":  `unknown kind "bash"; the kinds are read, edit,`,
		"run --allow raed hi":  `unknown kind "raed"; did you mean read?`,
		"check --timeout 1 -":  `--timeout "1": must be a time with a unit`,
		"token create x --exp": "unknown flag: --exp",
	} {
		r := plainTurnwire(t, "", strings.Fields(line)...)
		require.Equal(t, 2, r.code, line)
		require.Contains(t, r.stderr, want, line)
	}
}

func TestWithoutACommandAPipeGetsACP(t *testing.T) {
	t.Parallel()
	e := launch(t, options{args: []string{}})
	s := e.open(t.TempDir())
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "/say hello")))
	require.Contains(t, e.text(), "hello")
}

func TestEveryCommandShowsExamples(t *testing.T) {
	t.Parallel()
	r := plainTurnwire(t, "", "--help")
	require.Zero(t, r.code)
	require.Contains(t, r.stdout, "Examples:")
	_, list, found := strings.Cut(r.stdout, "\nUse agents:\n")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "\nFlags:\n")
	var names []string
	for line := range strings.Lines(list) {
		if name, command := strings.CutPrefix(line, "  "); command {
			names = append(names, strings.Fields(name)[0])
		}
	}
	require.ElementsMatch(t, []string{"acp", "run", "chat", "sessions", "agents", "setup", "doctor", "check", "new", "events", "schema", "serve", "attach", "stop", "token", "policy", "audit", "version", "help", "completion"}, names)
	for _, name := range names {
		r := plainTurnwire(t, "", name, "--help")
		require.Zero(t, r.code, name)
		require.Empty(t, r.stderr, name)
		if name != "help" && name != "completion" { // those two are cobra's own
			require.Regexp(t, `(?m)^Examples:\n  (.*\| )?turnwire `+name, r.stdout)
		}
	}
}

func TestAWrongCommandLineExitsWith2(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"nonsense",
		"--nonsense",
		"acp --nonsense",
		"acp python3 agent.py",
		"acp --",
		"acp --dialect nonsense",
		"acp --log-level nonsense",
		"acp --replay file -- command",
		"acp --replay file --agent awaken --url http://localhost",
		"acp --agent nobody",
		"acp --agent awaken",
		"acp --agent acp",
		"acp --agent glue --url http://localhost",
		"acp --agent awaken --url localhost",
		"acp --url http://localhost",
		"acp --config file",
		"agents extra",
		"check",
		"check --",
		"check one two",
		"check file -- command",
		"check --json --sarif file",
		"check --acp file",
		"check --timeout 0s file",
		"check --dialect nonsense file",
		"events --to nonsense",
		"events extra",
		"run --yes --deny hello",
		"run two prompts",
		"chat two prompts",
		"chat --",
		"chat --continue --resume tw-1",
		"sessions extra",
		"sessions --limit 0",
		"sessions rename one",
		"sessions show",
		"sessions export",
		"sessions export --format nonsense one",
		"sessions delete",
		"sessions prune --days -1",
		"schema nonsense",
		"schema agent-event acp-v1",
		"version extra",
		"--version extra",
	} {
		r := plainTurnwire(t, "", strings.Fields(line)...)
		require.Equal(t, 2, r.code, line)
		require.Empty(t, r.stdout, line)
		require.Regexp(t, `^turnwire: .+\nSee "turnwire( [a-z ]+)? --help"\.\n$`, r.stderr, line)
	}
}

func TestAFailureExitsWith1AndSaysWhy(t *testing.T) {
	t.Parallel()
	for line, why := range map[string]string{
		"acp --replay no-such-file":         "no-such-file: no such file or directory",
		"acp --log-file no/such/folder/log": "no/such/folder/log: no such file or directory",
		"acp --agent ethos --config none":   "none: no such file or directory",
		"agents --config none":              "none: no such file or directory",
	} {
		r := plainTurnwire(t, "", strings.Fields(line)...)
		require.Equal(t, 1, r.code, line)
		require.Empty(t, r.stdout, line)
		require.Contains(t, r.stderr, why)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	r := turnwire(t, "", "version")
	require.Zero(t, r.code)
	require.Regexp(t, `^turnwire \d+\.\d+\.\d+\S*( \(.+\))? go1\.\S+ \w+/\w+\n$`, r.stdout)
	require.Equal(t, r, turnwire(t, "", "--version"))
}

func TestSchemaPrintsTheCommittedFiles(t *testing.T) {
	t.Parallel()
	r := plainTurnwire(t, "", "schema")
	require.Equal(t, result{stdout: r.stdout}, r)
	names := strings.Fields(r.stdout)
	require.ElementsMatch(t, []string{"agent-event", "agent-event-strict", "agent-command", "agent-command-strict", "acp-v1", "config"}, names)
	for _, name := range names {
		committed, err := os.ReadFile(filepath.Join("..", "..", "schema", name+".schema.json"))
		require.NoError(t, err)
		require.True(t, json.Valid(committed), name)
		require.Equal(t, result{stdout: string(committed)}, plainTurnwire(t, "", "schema", name))
	}
}

func TestThereIsACompletionScriptForEachShell(t *testing.T) {
	t.Parallel()
	for shell, says := range map[string]string{
		"bash":       "complete -o default -F __start_turnwire turnwire",
		"zsh":        "#compdef turnwire",
		"fish":       "complete -c turnwire",
		"powershell": "Register-ArgumentCompleter -CommandName 'turnwire'",
	} {
		r := plainTurnwire(t, "", "completion", shell)
		require.Zero(t, r.code, shell)
		require.Empty(t, r.stderr, shell)
		require.Contains(t, r.stdout, says)
	}
	r := plainTurnwire(t, "", "__complete", "acp", "--dialect", "")
	require.Regexp(t, `^auto\n(\w+\n)+native\n`, r.stdout)
	r = plainTurnwire(t, "", "__complete", "run", "--agent", "")
	require.Contains(t, r.stdout, "awaken\tAwaken\n")
	require.Contains(t, r.stdout, "workspace\tthe embedded agent")
}

func TestRunIsOneTurn(t *testing.T) {
	t.Parallel()
	r := turnwire(t, "", "run", "/say hello from the workspace")
	require.Zero(t, r.code)
	require.Contains(t, r.stdout, "hello from the workspace")
	require.Empty(t, r.stderr)
}

func TestReplayAnswersEveryPromptWithTheRecording(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "turn.jsonl")
	require.NoError(t, os.WriteFile(recording, []byte(`{"type":"text_delta","text":"recorded. "}`+"\n"+`{"type":"done","text":"recorded. "}`+"\n"), 0o600))
	e := launch(t, options{args: []string{"acp", "--replay", recording}})
	s := e.open(t.TempDir())
	for range 2 {
		require.Equal(t, "end_turn", e.stops(e.prompt(s, "again")))
	}
	require.Equal(t, "recorded. recorded. ", e.text())
}
