package setup

import "path/filepath"

var jetbrainsFormat = servers{key: "agent_servers", unit: "  "}

var jetbrains = Editor{
	Name:  "jetbrains",
	Title: "JetBrains IDEs",
	Start: "Open AI Chat and choose “%s” in the list of agents.",
	empty: jetbrainsFormat,
	files: func(m Machine) []File {
		dir := m.home(".jetbrains")
		return []File{{
			Title:  "JetBrains IDEs",
			Path:   filepath.Join(dir, "acp.json"),
			Found:  exists(dir) || exists(filepath.Join(m.appData(), "JetBrains")),
			format: jetbrainsFormat,
		}}
	},
}
