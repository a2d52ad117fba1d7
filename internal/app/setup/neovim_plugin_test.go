package setup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// If our plugin is missing, the advice says how to install it. The repository must have
// what it names.
func TestTheNeovimPluginAdviceSaysHowToInstall(t *testing.T) {
	m := emptyMachine(t, "linux")
	const start = "$HOME/.local/share/nvim/site/pack/turnwire/start"
	const what = "our plugin, which adds :Turnwire, is not installed"
	require.Equal(t, []setup.Note{{
		What: what,
		Do:   `In a checkout of Turnwire: mkdir -p "` + start + `" && ln -s "$PWD/editors/neovim" "` + start + `/turnwire"`,
	}}, file(t, m, "neovim").Notes)
	require.FileExists(t, filepath.Join("..", "..", "..", "editors", "neovim", "lua", "turnwire", "init.lua"))
	require.FileExists(t, filepath.Join("..", "..", "..", "editors", "neovim", "plugin", "turnwire.lua"))

	write(t, filepath.Join(m.Home, ".local/share/nvim/lazy/lazy.nvim/README.md"), nil)
	require.Equal(t, []setup.Note{{
		What: what,
		Do:   `Add { dir = "CHECKOUT/editors/neovim" } to the plugins of lazy.nvim, with the path of a checkout of Turnwire`,
	}}, file(t, m, "neovim").Notes)

	m = emptyMachine(t, "windows")
	require.Contains(t, file(t, m, "neovim").Notes[0].Do, filepath.Join("AppData", "Local", "nvim-data", "site", "pack", "turnwire", "start", "turnwire"))
}

func TestAnInstalledNeovimPluginNeedsNoAdvice(t *testing.T) {
	for _, path := range []string{
		".local/share/nvim/site/pack/turnwire/start/turnwire/lua/turnwire/init.lua",
		".local/share/nvim/site/pack/core/opt/turnwire/editors/neovim/lua/turnwire/init.lua",
		".local/share/nvim/lazy/turnwire.nvim/lua/turnwire/init.lua",
		".config/nvim/pack/mine/start/turnwire/lua/turnwire/init.lua",
	} {
		m := emptyMachine(t, "linux")
		write(t, filepath.Join(m.Home, path), nil)
		require.Empty(t, file(t, m, "neovim").Notes, path)
	}
	for text, notes := range map[string]int{
		`return { dir = "~/src/turnwire/editors/neovim" }`:  0,
		`return { dir = "C:\src\turnwire\editors\neovim" }`: 0,
		`return { "folke/snacks.nvim" }`:                    1,
	} {
		m := emptyMachine(t, "linux")
		write(t, filepath.Join(m.Home, ".config/nvim/lua/plugins/turnwire.lua"), []byte(text))
		require.Len(t, file(t, m, "neovim").Notes, notes, text)
	}
}

// Our own file does not count as the plugin.
func TestTheAdviceStaysAfterTheAgentsWereWritten(t *testing.T) {
	m := emptyMachine(t, "linux")
	applied(t, file(t, m, "neovim"), plain)
	require.Len(t, file(t, m, "neovim").Notes, 1)
}
