package setup

import (
	"bytes"
	"cmp"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

// neovimFolders returns Neovim's configuration folder and its data folder.
func neovimFolders(m Machine) (config, data string) {
	name := cmp.Or(m.Getenv("NVIM_APPNAME"), "nvim")
	if m.OS != "windows" {
		return filepath.Join(m.xdgConfig(), name), filepath.Join(m.xdgData(), name)
	}
	local := func(variable string) string {
		if dir := m.folder(variable); dir != m.Home {
			return dir
		}
		return m.folder("LOCALAPPDATA", "AppData", "Local")
	}
	return filepath.Join(local("XDG_CONFIG_HOME"), name), filepath.Join(local("XDG_DATA_HOME"), name+"-data")
}

// neovimPlugin is the folder of our plugin in a checkout.
const neovimPlugin = "editors/neovim"

// neovimNotes says how to install our plugin unless it is installed.
func neovimNotes(m Machine, config, data string) []Note {
	if hasNeovimPlugin(config, data) {
		return nil
	}
	note := Note{What: "our plugin, which adds :Turnwire, is not installed"}
	start := filepath.Join(data, "site", "pack", "turnwire", "start")
	switch {
	case exists(filepath.Join(data, "lazy")): // lazy.nvim ignores Neovim's own package folders
		note.Do = `Add { dir = "CHECKOUT/` + neovimPlugin + `" } to the plugins of lazy.nvim, with the path of a checkout of Turnwire`
	case m.OS == "windows":
		note.Do = "Copy " + filepath.FromSlash(neovimPlugin) + " from a checkout of Turnwire to " + filepath.Join(start, "turnwire")
	default:
		if below, ok := strings.CutPrefix(start, m.Home+string(filepath.Separator)); ok {
			start = "$HOME/" + filepath.ToSlash(below) // a shell expands ~ only outside quotation marks
		}
		note.Do = `In a checkout of Turnwire: mkdir -p "` + start + `" && ln -s "$PWD/` + neovimPlugin + `" "` + start + `/turnwire"`
	}
	return []Note{note}
}

// hasNeovimPlugin reports whether our plugin is in a folder from which Neovim or a plugin
// manager loads plugins, or the user's configuration names its folder.
func hasNeovimPlugin(config, data string) bool {
	for _, plugins := range []string{
		filepath.Join(data, "site", "pack", "*", "start", "*"),
		filepath.Join(data, "site", "pack", "*", "opt", "*"),
		filepath.Join(config, "pack", "*", "start", "*"),
		filepath.Join(config, "pack", "*", "opt", "*"),
		filepath.Join(data, "lazy", "*"),
		filepath.Join(data, "plugged", "*"),
	} {
		for _, below := range []string{"", neovimPlugin} {
			// The pattern is valid unless a folder's name contains a bracket.
			if found, _ := filepath.Glob(filepath.Join(plugins, below, "lua", "turnwire", "init.lua")); len(found) > 0 {
				return true
			}
		}
	}
	return namesPlugin(config)
}

// namesPlugin reports whether one of the user's scripts contains the name of our plugin's
// folder.
func namesPlugin(config string) bool {
	root, err := filepath.EvalSymlinks(config)
	if err != nil {
		return false
	}
	named := false
	_ = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what can't be read names nothing
		case entry.IsDir() && (entry.Name() == "pack" || strings.HasPrefix(entry.Name(), ".")) && path != root:
			return fs.SkipDir
		case !slices.Contains([]string{".lua", ".vim"}, filepath.Ext(path)):
			return nil
		}
		text, err := atomicfile.Read(path, maxFile)
		if err == nil && bytes.Contains(bytes.ReplaceAll(text, []byte(`\`), []byte("/")), []byte(neovimPlugin)) {
			named = true
			return fs.SkipAll
		}
		return nil
	})
	return named
}
