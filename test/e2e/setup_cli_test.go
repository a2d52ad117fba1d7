//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// A user has a home directory, and programs in PATH.
type user struct {
	t    *testing.T
	home string
	path string
	work string // the working folder
}

// newUser returns a user whose home directory contains only a turnwire program
// in PATH.
func newUser(t *testing.T) *user {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	work, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	p := &user{t: t, home: home, work: work}
	p.path = filepath.Join(p.home, "bin")
	require.NoError(t, os.Mkdir(p.path, 0o755))
	require.NoError(t, os.Link(plainBinary, p.program()))
	return p
}

// program is the program that the user's editors launch.
func (p *user) program() string { return filepath.Join(p.path, "turnwire") }

// command returns a command of the user.
func (p *user) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(p.t.Context(), p.program(), args...)
	cmd.Dir = p.work
	cmd.Env = []string{"HOME=" + p.home, "PATH=" + p.path, "TERM=xterm", "TMPDIR=" + filepath.Join(p.home, "tmp"), "XDG_CONFIG_HOME=" + filepath.Join(p.home, ".config"), "XDG_DATA_HOME=" + filepath.Join(p.home, ".local", "share")}
	require.NoError(p.t, os.MkdirAll(filepath.Join(p.home, "tmp"), 0o755))
	return cmd
}

// run runs a command until it exits, without a terminal.
func (p *user) run(args ...string) result {
	p.t.Helper()
	cmd := p.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); !errors.As(err, &exit) {
		require.NoError(p.t, err)
	}
	return result{p.shown(stdout.String()), p.shown(stderr.String()), cmd.ProcessState.ExitCode()}
}

// shown returns an output with names replacing what differs between tests.
func (p *user) shown(output string) string {
	return strings.NewReplacer(p.home, "$HOME", p.work, "$WORK").Replace(output)
}

// answer runs a command in a terminal, and answers its question.
func (p *user) answer(answer string, args ...string) (screen string, code int) {
	p.t.Helper()
	cmd := p.command(args...)
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 200})
	require.NoError(p.t, err)
	defer terminal.Close()
	var shown strings.Builder
	for asked := false; ; {
		buffer := make([]byte, 4096)
		n, err := terminal.Read(buffer)
		shown.Write(buffer[:n])
		if !asked && strings.Contains(shown.String(), "[y/N]") {
			asked = true
			_, err := io.WriteString(terminal, answer)
			require.NoError(p.t, err)
		}
		if errors.Is(err, syscall.EIO) || errors.Is(err, io.EOF) { // EOF of a terminal
			break
		}
		require.NoError(p.t, err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		require.NoError(p.t, err)
	}
	return p.shown(shown.String()), cmd.ProcessState.ExitCode()
}

// has writes a file below the home directory.
func (p *user) has(path, text string) {
	p.t.Helper()
	path = filepath.Join(p.home, path)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(text), 0o600))
}

// file returns the text of a file below the home directory, or "" if it doesn't
// exist.
func (p *user) file(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.home, path))
	if !errors.Is(err, os.ErrNotExist) {
		require.NoError(p.t, err)
	}
	return string(text)
}

const (
	zedSettings = ".config/zed/settings.json"
	zedBefore   = "// mine\n{\n  \"vim_mode\": true // of course\n}\n"
	zedWith     = `// mine
{
  "vim_mode": true, // of course
  "agent_servers": {
    "Turnwire": {
      "type": "custom",
      "command": "$HOME/bin/turnwire",
      "args": ["acp"],
      "env": {}
    }
  }
}
`
)

func TestSetupShowsTheChangeAndMakesItWithYes(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, zedBefore)
	r := p.run("setup", "zed", "--yes")
	require.Equal(t, result{stdout: `~/.config/zed/settings.json (Zed)
  // mine
  {
-   "vim_mode": true // of course
+   "vim_mode": true, // of course
+   "agent_servers": {
+     "Turnwire": {
+       "type": "custom",
+       "command": "$HOME/bin/turnwire",
+       "args": ["acp"],
+       "env": {}
+     }
+   }
  }

✓ changed ~/.config/zed/settings.json
  previous version: ~/.config/zed/settings.json.before-turnwire
Open the agent panel, press + and choose “Turnwire”.
To check that everything works: turnwire doctor zed
`}, r)
	require.Equal(t, zedWith, p.shown(p.file(zedSettings)))

	r = p.run("setup", "zed")
	require.Equal(t, result{stdout: "✓ Zed: “Turnwire” is already set up (~/.config/zed/settings.json)\n"}, r)

	r = p.run("setup", "zed", "--remove", "--yes")
	require.Zero(t, r.code, r.stderr)
	require.Contains(t, r.stdout, "✓ ~/.config/zed/settings.json is restored\n")
	require.Equal(t, zedBefore, p.file(zedSettings))

	r = p.run("setup", "zed", "--remove")
	require.Equal(t, result{stdout: "✓ Zed: “Turnwire” is not set up (~/.config/zed/settings.json)\n"}, r)
}

func TestSetupRefusesWithoutATerminal(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, zedBefore)
	r := p.run("setup", "zed")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stdout, "+   \"agent_servers\": {", "it shows the change all the same")
	require.Equal(t, "turnwire: nothing was changed because there is no terminal to ask in: use --yes to make the change, or --print to see the settings\n", r.stderr)
	require.Equal(t, zedBefore, p.file(zedSettings))
}

func TestSetupAsksInATerminal(t *testing.T) {
	t.Parallel()
	for answer, changes := range map[string]bool{"y\n": true, "YES\n": true, "\n": false, "n\n": false, "yesterday\n": false, "\x04": false} {
		p := newUser(t)
		p.has(zedSettings, zedBefore)
		screen, code := p.answer(answer, "setup", "zed")
		require.Contains(t, screen, "\x1b[32m+   \"agent_servers\": {", "colours")
		require.Contains(t, screen, "Make this change?")
		if changes {
			require.Zero(t, code, "%q", answer)
			require.Equal(t, zedWith, p.shown(p.file(zedSettings)))
			continue
		}
		require.Equal(t, 1, code, "%q", answer)
		require.Contains(t, screen, "nothing was changed")
		require.Equal(t, zedBefore, p.file(zedSettings))
	}
}

func TestSetupShowsNoUnwantedColours(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	cmd := p.command("setup", "zed", "--yes")
	cmd.Env = append(cmd.Env, "NO_COLOR=1")
	terminal, err := pty.Start(cmd)
	require.NoError(t, err)
	defer terminal.Close()
	shown, err := io.ReadAll(terminal)
	if !errors.Is(err, syscall.EIO) {
		require.NoError(t, err)
	}
	require.NoError(t, cmd.Wait())
	require.Contains(t, string(shown), "agent_servers")
	require.NotContains(t, string(shown), "\x1b")
}

func TestSetupPrintsSettingsAndNothingElseToStdout(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, "this is not JSON, and of no concern here")
	r := p.run("setup", "zed", "--print", "--agent", "ethos")
	require.Equal(t, result{
		stdout: `{
  "agent_servers": {
    "Turnwire (ethos)": {
      "type": "custom",
      "command": "$HOME/bin/turnwire",
      "args": ["acp", "--agent", "ethos"],
      "env": {}
    }
  }
}
`,
		stderr: "For Zed, into $HOME/.config/zed/settings.json:\n",
	}, r)
}

func TestSetupReportsInvalidSettingsAndChangesNothing(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	base := ".config/"
	if runtime.GOOS == "darwin" {
		base = "Library/Application Support/"
	}
	p.has(base+"Code/User/settings.json", "{}")
	p.has(base+"VSCodium/User/settings.json", "{\n  \"a\" 1\n}")
	r := p.run("setup", "vscode", "--yes")
	require.Equal(t, result{
		stderr: "turnwire: $HOME/" + base + "VSCodium/User/settings.json: line 2, column 7: invalid JSON\n", code: 1,
	}, r)
	require.Equal(t, "{}", p.file(base+"Code/User/settings.json"))
}

func TestSetupPassesOnWhatTheAgentNeeds(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has("team.json", `{"agents": {"team": {"type": "acp", "command": "team-agent"}}}`)
	for line, want := range map[string]string{
		"--agent awaken --url http://localhost:8080 --header X:$TOKEN": `"Turnwire (awaken)": {"args": ["acp", "--agent", "awaken", "--url", "http://localhost:8080", "--header", "X:$TOKEN"]`,
		"-- python3 /agent.py":             `"Turnwire (python3)": {"args": ["acp", "--", "python3", "/agent.py"]`,
		"-- ./tools/agent -v":              `"Turnwire (agent)": {"args": ["acp", "--", "$WORK/tools/agent", "-v"]`,
		"--name Mine --agent glue -- g":    `"Mine": {"args": ["acp", "--agent", "glue", "--", "g"]`,
		"--config $HOME/team.json -a team": `"Turnwire (team)": {"args": ["acp", "--agent", "team", "--config", "$HOME/team.json"]`,
	} {
		cmd := p.command(append([]string{"setup", "jetbrains", "--print"}, strings.Fields(strings.ReplaceAll(line, "$HOME", p.home))...)...)
		cmd.Env = append(cmd.Env, "TOKEN=secret")
		out, err := cmd.Output()
		require.NoError(t, err, line)
		squeezed := strings.Join(strings.Fields(p.shown(string(out))), " ")
		squeezed = strings.ReplaceAll(squeezed, `"command": "$HOME/bin/turnwire", `, "")
		require.Contains(t, strings.ReplaceAll(squeezed, "{ ", "{"), want, line)
	}
}

func TestSetupRefusesAnAgentThatAnEditorWouldNotFind(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	require.NoError(t, os.WriteFile(filepath.Join(p.work, "turnwire.json"), []byte(`{"agents": {"theirs": {"type": "acp", "command": "x"}}}`), 0o600))
	r := p.run("setup", "zed", "--agent", "theirs", "--yes")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "the agent theirs exists only in this project (turnwire.json): add it to your own configuration")
	for line, why := range map[string]string{
		"setup":                      "name an editor: zed, vscode, neovim, jetbrains, emacs",
		"setup vim":                  `unknown editor "vim"`,
		"setup zde":                  "did you mean zed?",
		"setup zed emacs":            "name one editor",
		"setup zed --agent ethso":    "did you mean ethos?",
		"setup zed --agent awaken":   "needs --url",
		"setup zed --print --remove": "--print and --remove cannot be used together",
		"setup zed --":               "no command after --",
		"setup zed --replay x":       "unknown flag: --replay",
		"doctor vim":                 `unknown editor "vim"`,
	} {
		r := p.run(strings.Fields(line)...)
		require.Equal(t, 2, r.code, line)
		require.Contains(t, r.stderr, why, line)
	}
	require.NoDirExists(t, filepath.Join(p.home, ".config"))
}

func TestSetupTakesTheProgramThatIsNamed(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has("other/turnwire", "#!/bin/sh\n")
	r := p.run("setup", "zed", "--print", "--command", filepath.Join(p.home, "other/turnwire"))
	require.Equal(t, 1, r.code, "it cannot be run")
	require.NoError(t, os.Chmod(filepath.Join(p.home, "other/turnwire"), 0o755))
	r = p.run("setup", "zed", "--print", "--command", filepath.Join(p.home, "other/turnwire"))
	require.Contains(t, r.stdout, `"command": "$HOME/other/turnwire"`)
	r = p.run("setup", "zed", "--print", "--command", "turnwire")
	require.Contains(t, r.stdout, `"command": "$HOME/bin/turnwire"`, "looked up in PATH")
}

// A package manager's link stays when its target is removed.
func TestSetupNamesTheLinkInPATH(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	require.NoError(t, os.MkdirAll(filepath.Join(p.home, "store/1.0"), 0o755))
	require.NoError(t, os.Rename(p.program(), filepath.Join(p.home, "store/1.0/turnwire")))
	require.NoError(t, os.Symlink(filepath.Join(p.home, "store/1.0/turnwire"), p.program()))
	require.Contains(t, p.run("setup", "zed", "--print").stdout, `"command": "$HOME/bin/turnwire"`)
}

func TestSetupWarnsOfATemporaryProgram(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	cmd := p.command("setup", "zed", "--print")
	cmd.Env = append(cmd.Env, "TMPDIR="+p.home)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Run())
	require.Contains(t, p.shown(stderr.String()), "! $HOME/bin/turnwire is in a temporary folder: install Turnwire, or name a permanent copy with --command\n")
	require.NotContains(t, p.run("setup", "zed", "--print").stderr, "temporary")
}

func TestSetupWarnsOfSecretsInSettings(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	r := p.run("setup", "zed", "--print", "--agent", "awaken", "--url", "http://localhost:1", "--header", "Authorization: Bearer secret")
	require.Contains(t, r.stderr, "! the header Authorization would be written to the settings in plain text: use $NAME for an environment variable\n")
	require.NotContains(t, r.stderr, "secret")
}

// Each setup reads the file and replaces it. Without a lock, only the last
// one's agent would remain.
func TestSetupsAtTheSameTimeLoseNothing(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(zedSettings, "{}")
	var setups []*exec.Cmd
	for i := range 16 {
		cmd := p.command("setup", "zed", "--yes", "--name", fmt.Sprintf("Turnwire %d", i))
		require.NoError(t, cmd.Start())
		setups = append(setups, cmd)
	}
	for _, cmd := range setups {
		require.NoError(t, cmd.Wait())
	}
	settings := p.file(zedSettings)
	for i := range setups {
		require.Contains(t, settings, fmt.Sprintf(`"Turnwire %d"`, i))
	}
}

func TestSetupReportsRemainingAgents(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	require.Zero(t, p.run("setup", "jetbrains", "--yes").code)
	require.Zero(t, p.run("setup", "jetbrains", "--agent", "ethos", "--yes").code)
	r := p.run("setup", "jetbrains", "--remove", "--yes")
	require.Zero(t, r.code)
	require.Contains(t, r.stdout, "“Turnwire (ethos)” is still set up; to remove it: turnwire setup jetbrains --name \"Turnwire (ethos)\" --remove\n")
	require.Zero(t, p.run("setup", "jetbrains", "--remove", "--name", "Turnwire (ethos)", "--yes").code)
	require.Empty(t, p.file(".jetbrains/acp.json"))
}

func TestEditorsAreCompleted(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	r := p.run("__complete", "setup", "")
	require.Equal(t, "serve\tInstall a server as a service\nzed\tZed\nvscode\tVS Code\nneovim\tNeovim\njetbrains\tJetBrains IDEs\nemacs\tEmacs\n:4\n", r.stdout)
	require.Equal(t, ":4\n", p.run("__complete", "setup", "zed", "").stdout)
	require.NotContains(t, p.run("__complete", "doctor", "zed", "").stdout, "zed")
	require.Contains(t, p.run("__complete", "doctor", "zed", "").stdout, "emacs\tEmacs\n")
	require.Contains(t, p.run("__complete", "setup", "zed", "--agent", "").stdout, "awaken\tAwaken\n")
}
