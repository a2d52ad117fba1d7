package workspace

import "strings"

// helpStep lists the commands.
type helpStep struct{}

func (helpStep) run(t *turn) outcome {
	t.sayText(helpText())
	return succeeded
}

func helpText() string {
	var b strings.Builder
	b.WriteString("I have no model: I carry out the lines of your prompt, one step a line.\n\n")
	for _, c := range commands() {
		b.WriteString("- `" + c.usage() + "`: " + c.about + "\n")
	}
	b.WriteString("\nPaths are relative to the workspace, and a path or a pattern with spaces goes between double quotes. " +
		"In the texts of `/append`, `/edit` and `/write`, `\\n` is a line break, `\\t` a tab and `\\\\` a backslash. " +
		"`/search` looks at the files as they are on the disk.\n")
	return b.String()
}

// badStep is a line that looks like a step but is not valid.
type badStep struct {
	line string
	err  error
}

func (s badStep) run(t *turn) outcome {
	t.sayText("I cannot do `" + shorten(s.line, 80) + "`: " + s.err.Error() + ". `/help` lists what I can do.\n")
	return failed
}
