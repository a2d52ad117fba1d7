package terminal

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// ran is the result of a command that the user ran.
type ran struct {
	output string
	code   int
	err    error
}

func (*ran) isMessage() {}

// runShell runs a command of the user. The agent doesn't learn about it.
func (m *chat) runShell(line string) tea.Cmd {
	m.log.begin(sectionEnd)
	m.log.section = sectionTool
	m.log.out.print(m.log.st.accent("$ ") + cleanLine(line))
	switch {
	case m.opts.Chat.Shell == nil:
		m.log.say("commands can't be run here")
		return nil
	case m.endShell != nil:
		m.log.say("another command is running: Esc ends it")
		return nil
	}
	ctx, end := context.WithCancel(m.talk.ctx)
	m.endShell = end
	return m.inBackground(func() {
		defer end()
		output, code, err := m.opts.Chat.Shell(ctx, line)
		m.talk.deliver(&ran{output, code, err})
	})()
}

// showRan shows the result of a command.
func (m *chat) showRan(r *ran) {
	m.endShell = nil
	m.log.begin(sectionTool)
	m.log.out.print(indent("    ", m.log.cut("the command's output", outputRows(r.output), 2*m.log.limit))...)
	switch {
	case r.err != nil:
		m.log.say(r.err.Error())
	case r.code != 0:
		m.log.say(fmt.Sprintf("exit code %d", r.code))
	}
}

// edited is the text that the user wrote in an editor.
type edited struct {
	text string
	err  error
}

// openEditor lets the user edit the input in an editor.
func (m *chat) openEditor() tea.Cmd {
	if len(m.opts.Chat.Editor) == 0 {
		m.log.say("set VISUAL or EDITOR to write prompts in your editor")
		return nil
	}
	path, err := draftFile(m.input.value())
	if err != nil {
		m.log.say("the editor can't be used: " + err.Error())
		return nil
	}
	command := append(append([]string{}, m.opts.Chat.Editor...), path)
	editor := exec.Command(command[0], command[1:]...) //nolint:gosec // the user's own editor
	return tea.ExecProcess(editor, func(failed error) tea.Msg {
		defer os.Remove(path) //nolint:errcheck // it is temporary
		if failed != nil {
			return &edited{err: fmt.Errorf("%s: %w", command[0], failed)}
		}
		text, err := os.ReadFile(path)
		return &edited{strings.TrimRight(string(text), "\n"), err}
	})
}

// draftFile writes text to a new temporary file that only the user can read.
func draftFile(text string) (path string, err error) {
	f, err := os.CreateTemp("", "prompt-*.md")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return f.Name(), err
}

// showEdited puts the edited text into the input.
func (m *chat) showEdited(e *edited) {
	if e.err != nil {
		m.log.say("the editor failed: " + e.err.Error())
		return
	}
	m.input.set(e.text)
}
