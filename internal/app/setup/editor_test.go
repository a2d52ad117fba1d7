package setup_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// places returns an editor's files below the home directory, as "TITLE: PATH".
func places(t *testing.T, m setup.Machine, editor string) []string {
	t.Helper()
	e, ok := setup.Named(editor)
	require.True(t, ok)
	var list []string
	for _, f := range e.Files(m) {
		path, below := strings.CutPrefix(f.Path, m.Home+string(filepath.Separator))
		require.True(t, below, f.Path)
		list = append(list, f.Title+": "+filepath.ToSlash(path))
	}
	return list
}

func TestSettingsAreWhereTheEditorLooksForThem(t *testing.T) {
	for _, c := range []struct {
		editor, system string
		there          []string          // below the home directory; a folder ends with a slash
		env            map[string]string // ~ is the home directory
		want           []string
	}{
		{"zed", "linux", nil, nil, []string{"Zed: .config/zed/settings.json"}},
		{"zed", "linux", nil, map[string]string{"XDG_CONFIG_HOME": "~/conf"}, []string{"Zed: conf/zed/settings.json"}},
		{"zed", "linux", nil, map[string]string{"XDG_CONFIG_HOME": "relative"}, []string{"Zed: .config/zed/settings.json"}},
		{"zed", "linux", []string{".var/app/dev.zed.Zed/"}, nil, []string{"Zed (Flatpak): .var/app/dev.zed.Zed/config/zed/settings.json"}},
		{"zed", "linux", []string{".config/zed/", ".var/app/dev.zed.Zed/"}, nil, []string{"Zed: .config/zed/settings.json", "Zed (Flatpak): .var/app/dev.zed.Zed/config/zed/settings.json"}},
		{"zed", "darwin", nil, map[string]string{"XDG_CONFIG_HOME": "~/conf"}, []string{"Zed: .config/zed/settings.json"}},
		{"zed", "windows", nil, nil, []string{"Zed: AppData/Roaming/Zed/settings.json"}},
		{"zed", "windows", nil, map[string]string{"APPDATA": "~/Elsewhere"}, []string{"Zed: Elsewhere/Zed/settings.json"}},

		{"vscode", "linux", nil, nil, []string{"VS Code: .config/Code/User/settings.json"}},
		{"vscode", "linux", []string{".config/VSCodium/", ".config/Code - Insiders/"}, nil, []string{"VS Code Insiders: .config/Code - Insiders/User/settings.json", "VSCodium: .config/VSCodium/User/settings.json"}},
		{"vscode", "linux", []string{".config/Code - OSS/"}, nil, []string{"Code - OSS: .config/Code - OSS/User/settings.json"}},
		{"vscode", "linux", []string{".local/share/code-server/"}, nil, []string{"code-server: .local/share/code-server/Machine/settings.json"}},
		{"vscode", "linux", []string{"data/code-server/"}, map[string]string{"XDG_DATA_HOME": "~/data"}, []string{"code-server: data/code-server/Machine/settings.json"}},
		{"vscode", "linux", []string{".var/app/com.vscodium.codium/"}, nil, []string{"VSCodium (Flatpak): .var/app/com.vscodium.codium/config/VSCodium/User/settings.json"}},
		{"vscode", "linux", []string{".vscode-server/"}, nil, []string{"VS Code (remote): .vscode-server/data/Machine/settings.json"}},
		{"vscode", "darwin", nil, nil, []string{"VS Code: Library/Application Support/Code/User/settings.json"}},
		{"vscode", "windows", nil, nil, []string{"VS Code: AppData/Roaming/Code/User/settings.json"}},

		{"neovim", "linux", nil, nil, []string{"Neovim: .config/nvim/plugin/turnwire_agents.lua"}},
		{"neovim", "linux", nil, map[string]string{"NVIM_APPNAME": "lazyvim"}, []string{"Neovim: .config/lazyvim/plugin/turnwire_agents.lua"}},
		{"neovim", "darwin", nil, map[string]string{"XDG_CONFIG_HOME": "~/conf"}, []string{"Neovim: conf/nvim/plugin/turnwire_agents.lua"}},
		{"neovim", "windows", nil, nil, []string{"Neovim: AppData/Local/nvim/plugin/turnwire_agents.lua"}},
		{"neovim", "windows", nil, map[string]string{"XDG_CONFIG_HOME": "~/conf"}, []string{"Neovim: conf/nvim/plugin/turnwire_agents.lua"}},

		{"jetbrains", "linux", nil, nil, []string{"JetBrains IDEs: .jetbrains/acp.json"}},
		{"jetbrains", "windows", nil, nil, []string{"JetBrains IDEs: .jetbrains/acp.json"}},
		{"jetbrains", "linux", []string{".config/JetBrains/Air/"}, nil, []string{"JetBrains IDEs: .jetbrains/acp.json", "JetBrains Air: .config/JetBrains/Air/acp.json"}},
		{"jetbrains", "darwin", []string{"Library/Application Support/JetBrains/Air/"}, nil, []string{"JetBrains IDEs: .jetbrains/acp.json", "JetBrains Air: Library/Application Support/JetBrains/Air/acp.json"}},

		{"emacs", "linux", nil, nil, []string{"Emacs: .emacs.d/init.el"}},
		{"emacs", "linux", []string{".config/emacs/"}, nil, []string{"Emacs: .config/emacs/init.el"}},
		{"emacs", "linux", []string{".config/emacs/", ".emacs.d/"}, nil, []string{"Emacs: .emacs.d/init.el"}},
		{"emacs", "linux", []string{".emacs", ".emacs.d/init.el"}, nil, []string{"Emacs: .emacs"}},
		{"emacs", "linux", []string{".emacs", ".emacs.el"}, nil, []string{"Emacs: .emacs.el"}},
		{"emacs", "linux", []string{".config/doom/config.el", ".emacs.d/init.el"}, nil, []string{"Doom Emacs: .config/doom/config.el"}},
		{"emacs", "linux", []string{"mine/config.el", ".doom.d/config.el"}, map[string]string{"DOOMDIR": "~/mine"}, []string{"Doom Emacs: mine/config.el"}},
		{"emacs", "linux", []string{".spacemacs", ".emacs.d/init.el"}, nil, []string{"Spacemacs: .spacemacs"}},
		{"emacs", "windows", nil, nil, []string{"Emacs: AppData/Roaming/.emacs.d/init.el"}},
		{"emacs", "windows", nil, map[string]string{"HOME": "~/me"}, []string{"Emacs: me/.emacs.d/init.el"}},
	} {
		m := emptyMachine(t, c.system)
		m.Getenv = func(name string) string { return strings.Replace(c.env[name], "~", m.Home, 1) }
		for _, path := range c.there {
			if dir, isDir := strings.CutSuffix(path, "/"); isDir {
				path = dir + "/something"
			}
			write(t, filepath.Join(m.Home, path), nil)
		}
		require.Equal(t, c.want, places(t, m, c.editor), "%s on %s with %v %v", c.editor, c.system, c.there, c.env)
	}
}

func TestAnEditorIsFoundByItsProgramOrItsFolder(t *testing.T) {
	for editor, found := range map[string]struct{ program, path string }{
		"zed":       {"zeditor", ".config/zed/keymap.json"},
		"vscode":    {"code", ".config/Code/User/keybindings.json"},
		"neovim":    {"nvim", ".config/nvim/init.lua"},
		"jetbrains": {"", ".config/JetBrains/IntelliJIdea2026.1/idea.key"},
		"emacs":     {"emacs", ".emacs"},
	} {
		m := emptyMachine(t, "linux")
		require.False(t, file(t, m, editor).Found, editor)
		write(t, filepath.Join(m.Home, found.path), nil)
		require.True(t, file(t, m, editor).Found, editor)
		if found.program == "" {
			continue
		}
		m = emptyMachine(t, "linux")
		none := m.LookPath
		m.LookPath = func(name string) (string, error) {
			if name == found.program {
				return "/usr/bin/" + name, nil
			}
			return none(name)
		}
		require.True(t, file(t, m, editor).Found, editor)
	}
}

// If our extension is missing, the advice says how to build it and what to install. The
// repository must have both.
func TestTheExtensionAdviceMatchesTheRepository(t *testing.T) {
	m := emptyMachine(t, "linux")
	write(t, filepath.Join(m.Home, ".config/VSCodium/User/keybindings.json"), nil)
	note := file(t, m, "vscode").Notes[0]
	require.Equal(t, setup.Note{
		What: "the extension is not installed",
		Do:   "In a checkout of Turnwire, with Node.js 20 or later: make vscode && codium --install-extension editors/vscode/dist/turnwire.vsix",
	}, note)

	root := filepath.Join("..", "..", "..")
	require.Contains(t, string(read(t, filepath.Join(root, "Makefile"))), "\nvscode: ")
	var manifest struct {
		Engines struct{ Node string }
		Scripts struct{ Package string }
	}
	require.NoError(t, json.Unmarshal(read(t, filepath.Join(root, "editors", "vscode", "package.json")), &manifest))
	require.Equal(t, ">=20", manifest.Engines.Node)
	require.Contains(t, manifest.Scripts.Package, "--out dist/turnwire.vsix")
}

// The other extension for VS Code has its own settings, which are written if it is
// installed.
func TestTheOtherExtensionIsSetUpIfInstalled(t *testing.T) {
	m := emptyMachine(t, "linux")
	f := file(t, m, "vscode")
	require.Len(t, f.Notes, 1, "ours is not installed")
	applied(t, f, plain)
	require.NotContains(t, string(read(t, f.Path)), "acp.agents")
	drop(t, f, plain)

	write(t, filepath.Join(m.Home, ".vscode/extensions/formulahendry.acp-client-0.2.0/package.json"), nil)
	write(t, filepath.Join(m.Home, ".vscode/extensions/turnwire.turnwire-0.1.0/package.json"), nil)
	f = file(t, m, "vscode")
	require.Empty(t, f.Notes)
	applied(t, f, plain)
	require.Contains(t, string(read(t, f.Path)), `    "acp.agents": {
        "Turnwire": {
            "command": "/opt/my \"programs\"/turnwire",
            "args": ["acp"],
            "env": {}
        }
    }
`)
	drop(t, f, plain)
	require.NoFileExists(t, f.Path)
}

func TestThePrintedSettingsAreTheWrittenOnes(t *testing.T) {
	for _, e := range setup.Editors() {
		printed, err := e.Print(tricky)
		require.NoError(t, err)
		f := file(t, emptyMachine(t, "linux"), e.Name)
		applied(t, f, tricky)
		require.Equal(t, string(read(t, f.Path)), string(printed), e.Name)
	}
}
