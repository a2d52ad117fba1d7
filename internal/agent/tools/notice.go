package tools

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// Notice says what an agent may do with the tools that it is offered.
func Notice(offered []agent.OfferedTool) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(offered, func(t agent.OfferedTool) bool { return slices.Contains(names, t.Name) })
	}
	var asks []string
	text := "This agent may use Turnwire's tools: " + strings.Join(Names(offered), ", ") + "."
	if has(ReadFile, ListFiles) {
		asks = append(asks, "reads others")
	}
	if has(EditFile, WriteFile) {
		asks = append(asks, "changes files")
	}
	if has(RunCommand) {
		asks = append(asks, "runs commands")
	}
	before := strings.Join(asks, ", ")
	if last := strings.LastIndex(before, ", "); last >= 0 {
		before = before[:last] + " or " + before[last+2:]
	}
	switch reads := has(ReadFile, ListFiles, Search); {
	case reads && before != "":
		text += " It reads the files in this folder without asking, and asks before it " + before + "."
	case reads:
		text += " It reads the files in this folder without asking."
	case before != "":
		text += " It asks before it " + before + "."
	}
	return text
}
