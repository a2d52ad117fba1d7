package setup_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// Editors whose settings are programs distinguish agents by an identifier that is derived
// from the name. If two were equal, only the first agent would be offered.
func TestAgentsWithSimilarNamesAreDistinguished(t *testing.T) {
	for editor, wanted := range map[string][]string{
		"neovim": {`"id":"turnwire-a-b"`, `"id":"turnwire-a-b-2"`, `"id":"turnwire"`, `"id":"turnwire-2"`},
		"emacs":  {`"A b" turnwire-a-b `, `"A-b" turnwire-a-b-2 `, `"日本" turnwire `, `"🤖" turnwire-2 `},
	} {
		t.Run(editor, func(t *testing.T) {
			f := file(t, emptyMachine(t, "linux"), editor)
			for _, name := range []string{"A b", "A-b", "日本", "🤖"} {
				applied(t, f, setup.Agent{Name: name, Command: "/bin/turnwire", Args: []string{"acp"}})
			}
			text := string(read(t, f.Path))
			for _, id := range wanted {
				require.Equal(t, 1, strings.Count(text, id), "%s in %s", id, text)
			}
		})
	}
}

// Two ends of a Lua string can share a bracket: escaping the first must not leave the
// second intact.
func TestNoNameEndsItsLuaString(t *testing.T) {
	for _, trap := range []string{"]==]", "]==]==]", "]==]==]==]", "]===]==]", "]=]==]"} {
		a := setup.Agent{Name: trap + ` os.exit(1) --[==[`, Command: "/bin/turnwire", Args: []string{"acp", trap}}
		neovim, ok := setup.Named("neovim")
		require.True(t, ok)
		printed, err := neovim.Print(a)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(printed), "]==]"), "%s in %s", trap, printed)
		f := file(t, emptyMachine(t, "linux"), "neovim")
		applied(t, f, a)
		agents, err := f.Agents()
		require.NoError(t, err)
		require.Equal(t, []setup.Agent{a}, agents)
	}
}

// Lisp would read a number as such, and editors have built-in agents.
func TestAnIdentifierIsNotANumberAConstantOrAnotherAgents(t *testing.T) {
	f := file(t, emptyMachine(t, "linux"), "emacs")
	for _, name := range []string{"42", "1e5", "-7", "Nil", "T", "Codex"} {
		applied(t, f, setup.Agent{Name: name, Command: "/bin/turnwire", Args: []string{"acp"}})
	}
	text := string(read(t, f.Path))
	for _, id := range []string{" turnwire-42 ", " turnwire-1e5 ", " turnwire-7 ", " turnwire-nil ", " turnwire-t ", " turnwire-codex "} {
		require.Contains(t, text, id)
	}
}
