//go:build unix

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var duration = regexp.MustCompile(`\d+(\.\d+)?m?s`)

func TestDoctorFindsThatAllIsWell(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, zedBefore)
	p.has(".config/turnwire/turnwire.json", `{"agents": {"mine": {"type": "process", "command": "cat"}}}`)
	require.Zero(t, p.run("setup", "zed", "--yes").code)
	r := p.run("doctor")
	require.Zero(t, r.code)
	require.Empty(t, r.stderr)
	require.Equal(t, `Program
  ✓ version         0.1.0
  ✓ path            ~/bin/turnwire
  ✓ PATH            contains this one

Configuration
  ✓ yours           ~/.config/turnwire/turnwire.json: mine

Agent
  ✓ workspace       embedded: built in

Editors
  ✓ Zed             “Turnwire” runs ~/bin/turnwire acp
  – VS Code         not found
  – Neovim          not found
  – JetBrains IDEs  not found
  – Emacs           not found

One turn
  ✓ answer          “ready All done: 1 step.” after 1s

Everything is OK.
`, duration.ReplaceAllString(r.stdout, "1s"))
	entries, err := os.ReadDir(filepath.Join(p.home, "tmp"))
	require.NoError(t, err)
	require.Empty(t, entries, "it leaves nothing behind")
}

// finding is a finding of "turnwire doctor --json".
type finding struct{ Group, Status, Name, Detail, Advice string }

// doctor runs the doctor and returns its findings by name, and its exit code.
func (p *user) doctor(args ...string) (map[string]finding, int) {
	p.t.Helper()
	r := p.run(append([]string{"doctor", "--json"}, args...)...)
	var all struct {
		Well     bool
		Findings []finding
	}
	require.NoError(p.t, json.Unmarshal([]byte(r.stdout), &all), "%s%s", r.stdout, r.stderr)
	require.Equal(p.t, all.Well, r.code == 0)
	found := map[string]finding{}
	for _, f := range all.Findings {
		if old, ok := found[f.Name]; !ok || old.Status == "ok" {
			found[f.Name] = f
		}
	}
	return found, r.code
}

func TestDoctorFindsWhatIsWrongInSettings(t *testing.T) {
	t.Parallel()
	const entry = `{"agent_servers": {"Turnwire": {"command": %q, "args": [%s]}}}`
	p := newUser(t)
	old := filepath.Join(p.home, "old", "turnwire")
	p.has("old/turnwire", "#!/bin/sh\necho turnwire 0.0.1 go1.26 linux/amd64\n")
	require.NoError(t, os.Chmod(old, 0o755))
	broken := filepath.Join(p.home, "broken", "turnwire")
	p.has("broken/turnwire", "#!/bin/sh\nexit 1\n")
	require.NoError(t, os.Chmod(broken, 0o755))
	copied := filepath.Join(p.home, "copy", "turnwire")
	require.NoError(t, os.Mkdir(filepath.Dir(copied), 0o755))
	text, err := os.ReadFile(plainBinary)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(copied, text, 0o700))
	for settings, want := range map[string]finding{
		"{\n\"a\" 1}":                          {"Editors", "failed", "Zed", "$HOME/.config/zed/settings.json: line 2, column 5: invalid JSON", "Fix the file: the editor cannot read it either."},
		"{}":                                   {"Editors", "note", "Zed", "not set up", "turnwire setup zed"},
		`{"agent_servers": {"Turnwire": "x"}}`: {"Editors", "failed", "Zed", "“Turnwire” has no runnable command", "turnwire setup zed --name Turnwire --remove"},
		fmt.Sprintf(entry, "/gone/turnwire", `"acp"`):                                                                         {"Editors", "failed", "Zed", "“Turnwire” runs /gone/turnwire, which does not exist", "turnwire setup zed"},
		fmt.Sprintf(entry, "/gone/turnwire", `"acp", "--agent", "a b"`):                                                       {"Editors", "failed", "Zed", "“Turnwire” runs /gone/turnwire, which does not exist", "turnwire setup zed --name Turnwire --agent 'a b'"},
		fmt.Sprintf(entry, p.program(), `"acp", "--agent", "nobody"`):                                                         {"Editors", "failed", "Zed", "“Turnwire” runs $HOME/bin/turnwire acp --agent nobody, but none of your configuration files names the agent nobody", "turnwire agents lists the agents."},
		fmt.Sprintf(entry, p.program(), `"acp", "--agent", "glue"`):                                                           {"Editors", "failed", "Zed", "“Turnwire” runs $HOME/bin/turnwire acp --agent glue, but glue is not in PATH", "Install it, or name its program after --."},
		fmt.Sprintf(entry, p.program(), `"acp", "--agent", "awaken", "--url", "http://127.0.0.1:1", "--header", "X: secret"`): {"Editors", "failed", "Zed", "“Turnwire” runs $HOME/bin/turnwire acp --agent awaken --url http://127.0.0.1:1 --header X: …, but connect: connection refused", "Start the server, or correct its address."},
		fmt.Sprintf(entry, old, `"acp"`):                                                                                      {"Editors", "warning", "Zed", "“Turnwire” runs $HOME/old/turnwire acp, which is version 0.0.1, not 0.1.0", "turnwire setup zed"},
		fmt.Sprintf(entry, broken, `"acp"`):                                                                                   {"Editors", "failed", "Zed", "“Turnwire” runs $HOME/broken/turnwire acp, which cannot be run: $HOME/broken/turnwire does not print its version", "turnwire setup zed"},
		fmt.Sprintf(entry, copied, `"acp"`):                                                                                   {"Editors", "ok", "Zed", "“Turnwire” runs $HOME/copy/turnwire acp, a copy of the same version", ""},
		fmt.Sprintf(entry, p.program(), `"acp"`):                                                                              {"Editors", "ok", "Zed", "“Turnwire” runs $HOME/bin/turnwire acp", ""},
	} {
		p.has(zedSettings, settings)
		found, code := p.doctor()
		require.Equal(t, want, found["Zed"], settings)
		require.Equal(t, map[bool]int{true: 1, false: 0}[want.Status == "failed"], code, settings)
	}
}

func TestDoctorRequiresANamedEditorToBeSetUp(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, "{}")
	found, code := p.doctor("zed", "jetbrains")
	require.Equal(t, 1, code)
	require.Equal(t, finding{"Editors", "failed", "Zed", "not set up", "turnwire setup zed"}, found["Zed"])
	require.Equal(t, "failed", found["JetBrains IDEs"].Status)
	require.NotContains(t, found, "Neovim")
}

func TestDoctorFindsAnAgentThatCannotBeReached(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	found, code := p.doctor("--agent", "glue")
	require.Equal(t, 1, code)
	require.Equal(t, finding{"Agent", "failed", "glue", "glue acp: glue is not in PATH", "Install it, or name its program after --."}, found["glue"])
	require.Equal(t, "failed", found["answer"].Status)
	require.Contains(t, found["answer"].Detail, "start glue")
	require.Contains(t, found["answer"].Advice, "turnwire run --log-file - --log-level debug hello --agent glue")

	found, code = p.doctor("--agent", "awaken", "--url", "http://127.0.0.1:1")
	require.Equal(t, 1, code)
	require.Equal(t, "Start the server, or correct its address.", found["awaken"].Advice)
}

func TestDoctorFindsAWrongConfiguration(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(".config/turnwire/turnwire.json", "{\n  \"agents\": {\"mine\": {\"type\": \"nonsense\"}}\n}")
	found, code := p.doctor()
	require.Equal(t, 1, code)
	require.Equal(t, "failed", found["files"].Status)
	require.Contains(t, found["files"].Detail, "$HOME/.config/turnwire/turnwire.json:2: agents.mine.type")
	require.Equal(t, "failed", found["answer"].Status, "the rules in it cannot be read either")
}

// The agent's permission requests during the turn are refused.
func TestDoctorAllowsNothing(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has("agent.sh", `read -r prompt
echo '{"type":"tool_confirmation_request","toolCallId":"1","toolName":"write","title":"Write"}'
read -r answer
echo "$answer" > "$HOME/answer"
echo '{"type":"done","text":"so be it"}'
read -r end
`)
	found, code := p.doctor("--", "/bin/sh", filepath.Join(p.home, "agent.sh"))
	require.Zero(t, code)
	require.Contains(t, found["answer"].Detail, "“so be it”")
	require.Contains(t, p.file("answer"), `"decision":"reject_once"`)
}

// The turn runs in an empty folder, although the command was typed in this one.
func TestDoctorFindsACommandThatIsRelativeToItsFolder(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	require.NoError(t, os.Mkdir(filepath.Join(p.work, "tools"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(p.work, "tools", "agent"), []byte(`#!/bin/sh
read -r prompt
echo "{\"type\":\"done\",\"text\":\"ready with $*\"}"
read -r end
`), 0o755))
	found, code := p.doctor("--", "./tools/agent", "-v")
	require.Zero(t, code, found)
	require.Contains(t, found["answer"].Detail, "“ready with -v”")
}

func TestDoctorTellsOfAnAgentThatDies(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	self, err := os.Executable()
	require.NoError(t, err)
	found, code := p.doctor("--", self, agentArgument, "crash")
	require.Equal(t, 1, code)
	require.Contains(t, found["answer"].Detail, "The agent stopped")
	found, code = p.doctor("--", self, agentArgument, "echo")
	require.Zero(t, code)
	require.True(t, strings.HasPrefix(found["answer"].Detail, "“echo of "), found["answer"].Detail)
}

// The agent also ignores EOF on stdin, so it must be killed. That must not
// affect the result.
func TestDoctorSaysWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has("agent.sh", `read -r prompt
: > "$HOME/prompted"
until [ -e "$HOME/go" ]; do sleep 0.01; done
echo '{"type":"text_delta","text":"ready"}'
echo '{"type":"done"}'
read -r end
`)
	out, err := os.Create(filepath.Join(p.home, "out"))
	require.NoError(t, err)
	defer out.Close()
	cmd := p.command("doctor", "--", "/bin/sh", filepath.Join(p.home, "agent.sh"))
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	cmd.Stdout = out
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(p.home, "prompted"))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	output, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	require.Contains(t, string(output), "\nOne turn\n")
	p.has("go", "")
	_ = cmd.Wait() // other tests check the result
	output, err = os.ReadFile(out.Name())
	require.NoError(t, err)
	require.Contains(t, string(output), "“ready” after")
}

func TestDoctorStopsWhenItIsInterrupted(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has("agent.sh", `trap '' TERM
read -r prompt
: > "$HOME/prompted"
while :; do read -r line || sleep 1; done
`)
	cmd := p.command("doctor", "--json", "--", "/bin/sh", filepath.Join(p.home, "agent.sh"))
	cmd.Env = append(cmd.Env, "PATH="+os.Getenv("PATH"))
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		_, err := os.Stat(filepath.Join(p.home, "prompted"))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, 1, exit.ExitCode())
	var all struct{ Findings []finding }
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &all))
	require.Equal(t, "the check was stopped before the agent answered", all.Findings[len(all.Findings)-1].Detail)
}

func TestDoctorKnowsAnotherTurnwireInPATH(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	there := filepath.Join(p.home, "elsewhere")
	require.NoError(t, os.Rename(p.path, there))
	p.path = there
	require.NoError(t, os.Rename(filepath.Join(there, "turnwire"), filepath.Join(there, "tw")))
	cmd := func() finding {
		c := p.command("doctor", "--json")
		c.Path = filepath.Join(there, "tw")
		out, _ := c.Output()
		var all struct{ Findings []finding }
		require.NoError(t, json.Unmarshal(out, &all))
		for _, f := range all.Findings {
			if f.Name == "PATH" {
				return f
			}
		}
		return finding{}
	}
	require.Equal(t, "does not contain turnwire", cmd().Detail)
	p.has("elsewhere/turnwire", "#!/bin/sh\n")
	require.NoError(t, os.Chmod(filepath.Join(there, "turnwire"), 0o755))
	require.Equal(t, "warning", cmd().Status)
}
