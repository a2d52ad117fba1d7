package setup

import "path/filepath"

var jetbrainsFormat = servers{key: "agent_servers", unit: "  "}

// jetbrains are the IDEs, and Air, a separate program with a separate file.
var jetbrains = Editor{
	Name:  "jetbrains",
	Title: "JetBrains IDEs",
	Start: "Open AI Chat, or a task in Air, and choose “%s” in the list of agents.",
	empty: jetbrainsFormat,
	files: func(m Machine) []File {
		dir, data := m.home(".jetbrains"), filepath.Join(m.appData(), "JetBrains")
		air := filepath.Join(data, "Air")
		return []File{{
			Title:  "JetBrains IDEs",
			Path:   filepath.Join(dir, "acp.json"),
			Found:  exists(dir) || exists(data),
			format: jetbrainsFormat,
		}, {
			Title:  "JetBrains Air",
			Path:   filepath.Join(air, "acp.json"),
			Found:  exists(air),
			format: jetbrainsFormat,
		}}
	},
}
