package setup

import (
	"path/filepath"

	"github.com/turnwire/turnwire/internal/atomicfile"
	"github.com/turnwire/turnwire/internal/exactjson"
)

// maxManifest limits the size of VS Code's package.json, in bytes.
const maxManifest = 1 << 20

// version returns the version of the installed VS Code, such as 1.139.1, or "" if
// unknown. It runs nothing.
func (v variant) version(m Machine) string {
	for _, path := range v.manifests(m) {
		text, err := atomicfile.Read(path, maxManifest)
		if err != nil {
			continue
		}
		var manifest struct {
			Version string `json:"version"`
		}
		if exactjson.Unmarshal(text, &manifest) == nil && manifest.Version != "" {
			return manifest.Version
		}
	}
	return ""
}

// manifests returns the possible paths of VS Code's package.json. The program in PATH is
// a script in the installation's bin folder, or a link to that script.
func (v variant) manifests(m Machine) []string {
	var paths []string
	if program, err := m.LookPath(v.program); err == nil {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			program = real
		}
		root := filepath.Dir(filepath.Dir(program))
		paths = append(paths, filepath.Join(root, "resources", "app", "package.json"), filepath.Join(root, "package.json"))
		// On Windows, an update is installed in a folder next to the old one.
		newer, _ := filepath.Glob(filepath.Join(root, "*", "resources", "app", "package.json"))
		paths = append(paths, newer...)
	}
	if m.OS == "darwin" {
		name := v.title
		if v.settings == "Code" || v.settings == "Code - Insiders" {
			name = "Visual Studio " + v.settings
		}
		for _, folder := range []string{"/Applications", m.home("Applications")} {
			paths = append(paths, filepath.Join(folder, name+".app", "Contents", "Resources", "app", "package.json"))
		}
	}
	return paths
}
