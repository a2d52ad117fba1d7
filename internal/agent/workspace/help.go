package workspace

import (
	"strings"

	"github.com/turnwire/turnwire/internal/agent/tools"
)

// helpStep lists the commands.
type helpStep struct{}

func (helpStep) run(t *turn) outcome {
	t.sayText(helpText())
	return succeeded
}

func helpText() string {
	var b strings.Builder
	b.WriteString("Each line of your prompt is one step:\n\n")
	for _, c := range commands() {
		b.WriteString("- `" + c.usage() + "`: " + c.about + "\n")
	}
	b.WriteString("\nPaths are relative to the workspace. Put double quotes around a path or a pattern with spaces. " +
		"In the texts of `/append`, `/edit` and `/write`, `\\n` is a line break, `\\t` a tab and `\\\\` a backslash. " +
		"`/search` reads the saved files, not an editor's unsaved text.\n")
	return b.String()
}

// badStep is a line that looks like a step but is not valid.
type badStep struct {
	line string
	err  error
}

func (s badStep) run(t *turn) outcome {
	t.sayText("I can't run `" + tools.Shorten(s.line, 80) + "`: " + s.err.Error() + ". `/help` shows all steps.\n")
	return failed
}
