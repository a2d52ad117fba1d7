package setup_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

const settings = "{\n  \"vim_mode\": true\n}\n"

// zed returns Zed's settings file on a machine where Zed has settings.
func zed(t *testing.T) setup.File {
	t.Helper()
	m := emptyMachine(t, "linux")
	f := file(t, m, "zed")
	write(t, f.Path, []byte(settings))
	return f
}

func TestABackupHoldsTheOldFileAndNeverReplacesAnother(t *testing.T) {
	f := zed(t)
	older := f.Path + ".before-turnwire"
	write(t, older, []byte("another"))
	backup := applied(t, f, plain)
	require.Equal(t, older+".2", backup)
	require.Equal(t, settings, string(read(t, backup)))
	require.Equal(t, "another", string(read(t, older)))

	write(t, f.Path, []byte("{}"))
	require.Equal(t, older+".3", applied(t, f, plain))
	require.Equal(t, settings, string(read(t, backup)))

	// Content that is in a backup needs no further backup.
	write(t, f.Path, []byte(settings))
	require.Equal(t, backup, applied(t, f, plain))
}

func TestAReadOnlyFileIsNotChanged(t *testing.T) {
	f := zed(t)
	require.NoError(t, os.Chmod(f.Path, 0o400))
	c, err := f.Put(plain)
	require.NoError(t, err)
	_, err = c.Apply()
	require.ErrorContains(t, err, "settings.json is read-only and was not changed.")
	require.Equal(t, settings, string(read(t, f.Path)))
	requireNoLitter(t, f.Path)
}

func TestAFileThatHasChangedMeanwhileIsLeftAlone(t *testing.T) {
	f := zed(t)
	c, err := f.Put(plain)
	require.NoError(t, err)
	write(t, f.Path, []byte("{\"mine\": 1}"))
	_, err = c.Apply()
	require.ErrorContains(t, err, "changed in the meantime, so nothing was done")
	require.Equal(t, "{\"mine\": 1}", string(read(t, f.Path)))

	write(t, f.Path, []byte(settings))
	c, err = f.Put(plain)
	require.NoError(t, err)
	require.NoError(t, os.Remove(f.Path))
	_, err = c.Apply()
	require.ErrorContains(t, err, "changed in the meantime, so nothing was done")
	require.NoFileExists(t, f.Path)
}

func TestInvalidSettingsAreRefusedWithTheirPosition(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": 1\n  \"b\": 2\n}":           "settings.json: line 3, column 3: invalid JSON",
		"[1]":                                    "settings.json: line 1, column 1: this value must be an object",
		"{\"agent_servers\": 1}":                 "settings.json: line 1, column 19: \"agent_servers\" must be an object",
		"{\"agent_servers\": {\"Turnwire\": 1}}": "settings.json: line 1, column 32: \"Turnwire\" must be an object",
		strings.Repeat(" ", 4<<20) + "{}":        "settings.json is longer than 4194304 bytes",
	} {
		f := zed(t)
		write(t, f.Path, []byte(text))
		_, err := f.Put(plain)
		require.ErrorContains(t, err, want)
		require.Equal(t, text, string(read(t, f.Path)))
		requireNoLitter(t, f.Path)
	}
}

func TestAFolderInThePlaceOfAFileIsRefused(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "jetbrains")
	require.NoError(t, os.MkdirAll(f.Path, 0o755))
	_, err := f.Put(plain)
	require.ErrorContains(t, err, "acp.json is not a regular file")
}

func TestAnAgentWithInvisibleCharactersIsRefused(t *testing.T) {
	for _, a := range []setup.Agent{
		{Name: " ", Command: "/bin/turnwire"},
		{Name: "a\nb", Command: "/bin/turnwire"},
		{Name: "a", Command: "/bin/turn\x1bwire"},
		{Name: "a", Command: "/bin/turnwire", Args: []string{"acp", "a\x00b"}},
		{Name: "a", Command: "/bin/turnwire", Args: []string{"\u202ereversed"}},
		{Name: "a", Command: "/bin/turnwire", Args: []string{"no \xff text"}},
	} {
		for _, f := range []setup.File{zed(t), file(t, emptyMachine(t, "linux"), "emacs")} {
			_, err := f.Put(a)
			require.Error(t, err, "%q in %s", a, f.Title)
		}
	}
}

func TestAnExistingEntryIsUpdated(t *testing.T) {
	f := zed(t)
	write(t, f.Path, []byte(`{
  "agent_servers": {
    "Turnwire": {
      "command": "/old/turnwire", // moved
      "args": ["acp"],
      "env": { "KEY": "mine" },
      "default_mode": "ask"
    }
  }
}
`))
	applied(t, f, plain)
	require.Equal(t, `{
  "agent_servers": {
    "Turnwire": {
      "command": "/opt/my \"programs\"/turnwire", // moved
      "args": ["acp"],
      "env": { "KEY": "mine" },
      "default_mode": "ask",
      "type": "custom"
    }
  }
}
`, string(read(t, f.Path)))
}

func TestKeysThatDifferInCaseAreDifferentKeys(t *testing.T) {
	for editor, text := range map[string]string{
		"zed":    `{"agent_servers": {"Turnwire": {"command": "/old", "COMMAND": "mine", "Args": 1}}}`,
		"vscode": `{"turnwire.agents": {"Turnwire": {"args": ["acp"], "ARGS": 1}}}`,
	} {
		f := file(t, emptyMachine(t, "linux"), editor)
		write(t, f.Path, []byte(text))
		applied(t, f, plain)
		agents, err := f.Agents()
		require.NoError(t, err)
		require.Equal(t, []setup.Agent{plain}, agents, editor)
	}
}

func TestRemovingAMissingAgentChangesNothing(t *testing.T) {
	for _, e := range setup.Editors() {
		for _, f := range e.Files(emptyMachine(t, "linux")) {
			c, err := f.Drop(plain.Name)
			require.NoError(t, err, e.Name)
			require.True(t, c.None(), e.Name)
		}
	}
	f := zed(t)
	c, err := f.Drop(plain.Name)
	require.NoError(t, err)
	require.True(t, c.None())
}

func TestAnUnreadableEntryCanBeRemoved(t *testing.T) {
	for text, left := range map[string]string{
		`{"a": 1, "agent_servers": {"Turnwire": "x"}}`:                              `{"a": 1}`,
		`{"a": 1, "agent_servers": {"Turnwire": {"command": "/x", "args": "acp"}}}`: `{"a": 1}`,
		`{"agent_servers": {"Turnwire": {}, "Mine": {}}}`:                           `{"agent_servers": { "Mine": {}}}`,
	} {
		f := zed(t)
		write(t, f.Path, []byte(text))
		drop(t, f, plain)
		require.Equal(t, left, string(read(t, f.Path)))
	}
}

func TestADuplicateEntryIsNotReportedAsRemoved(t *testing.T) {
	f := zed(t)
	write(t, f.Path, []byte(`{"agent_servers": {"Turnwire": {}, "Turnwire": {}}}`))
	_, err := f.Drop(plain.Name)
	require.ErrorContains(t, err, `the key "Turnwire" appears twice`)
}

func TestForeignNeovimScriptsAreNotTouched(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "neovim")
	for text, want := range map[string]string{
		"print('mine')\n":                    "was not written by \"turnwire setup\"",
		"vim.json.decode([==[\nbroken\n]==]": "its agent list cannot be read",
	} {
		write(t, f.Path, []byte(text))
		_, err := f.Put(plain)
		require.ErrorContains(t, err, want)
		_, err = f.Drop(plain.Name)
		require.ErrorContains(t, err, want)
	}
}

func TestAChangedNeovimScriptIsNotRemoved(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "neovim")
	require.Empty(t, applied(t, f, plain), "a new file has no backup")
	require.Empty(t, applied(t, f, tricky), "what we wrote ourselves needs none")
	drop(t, f, tricky)
	changed := append(read(t, f.Path), "print('mine')\n"...)
	write(t, f.Path, changed)
	backup := applied(t, f, tricky)
	require.Equal(t, string(changed), string(read(t, backup)))
}

func TestHalfABlockInAnInitFileIsRefused(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "emacs")
	applied(t, f, plain)
	block := string(read(t, f.Path))
	begin, end, _ := strings.Cut(block, "(with-eval-after-load")
	for _, text := range []string{begin, end, block + block, block + begin} {
		write(t, f.Path, []byte(text))
		_, err := f.Put(tricky)
		require.ErrorContains(t, err, "is incomplete")
	}
}

// Older versions wrote a different block, with agents in the same form.
func TestAnOlderBlockInAnInitFileIsReplaced(t *testing.T) {
	const before, after = "(menu-bar-mode -1)\n\n", "\n(tool-bar-mode -1)\n"
	const older = `;; >>> turnwire setup: older words >>>
(with-eval-after-load 'agent-shell
  (dolist (agent '(("Turnwire" turnwire "/old/turnwire" "acp")
                   ("Ethos" ethos "/old/turnwire" "acp" "--agent" "ethos")))
    (add-to-list 'agent-shell-agent-configs (older-words agent))))
;; <<< turnwire setup <<<
`
	ethos := setup.Agent{Name: "Ethos", Command: "/old/turnwire", Args: []string{"acp", "--agent", "ethos"}}
	m := emptyMachine(t, "linux")
	f := file(t, m, "emacs")
	applied(t, f, plain)
	applied(t, f, ethos)
	want := before + string(read(t, f.Path)) + after

	write(t, f.Path, []byte(before+older+after))
	applied(t, f, plain)
	require.Equal(t, want, string(read(t, f.Path)))

	write(t, f.Path, []byte(before+older+after))
	drop(t, f, plain)
	require.NotContains(t, string(read(t, f.Path)), "older words")
	drop(t, f, ethos)
	require.Equal(t, "(menu-bar-mode -1)\n"+after, string(read(t, f.Path)))
}
