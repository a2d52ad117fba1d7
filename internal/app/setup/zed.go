package setup

import "path/filepath"

var zedFormat = servers{key: "agent_servers", kind: "custom", unit: "  "}

var zed = Editor{
	Name:  "zed",
	Title: "Zed",
	Start: "Open the agent panel, press + and choose “%s”.",
	empty: zedFormat,
	files: func(m Machine) []File {
		dir := filepath.Join(m.xdgConfig(), "zed")
		switch m.OS {
		case "windows":
			dir = filepath.Join(m.appData(), "Zed")
		case "darwin": // Zed ignores the variable there
			dir = m.home(".config", "zed")
		}
		files := []File{{
			Title:  "Zed",
			Path:   filepath.Join(dir, "settings.json"),
			Found:  exists(dir) || m.hasProgram("zed", "zeditor"),
			format: zedFormat,
		}}
		if m.OS == "linux" {
			sandbox := m.flatpak("dev.zed.Zed")
			files = append(files, File{
				Title:  "Zed (Flatpak)",
				Path:   filepath.Join(sandbox, "config", "zed", "settings.json"),
				Found:  exists(sandbox),
				Notes:  []Note{sandboxed},
				format: zedFormat,
			})
		}
		return files
	},
}

// sandboxed is the note for editors that run in a Flatpak.
var sandboxed = Note{
	"a Flatpak launches programs inside its sandbox",
	"Allow it to leave the sandbox, or put turnwire and the agent where it can reach them.",
}
