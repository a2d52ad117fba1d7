package terminal

import (
	"fmt"
	"io"
)

// printed writes the conversation below the shell's prompt after the chat has left the
// screen, and how to continue it.
func (m *chat) printed(out io.Writer) error {
	if m.switched || len(m.page.pieces) == 0 {
		return nil
	}
	for _, row := range m.page.all() {
		if _, err := fmt.Fprintln(out, row); err != nil {
			return err
		}
	}
	if m.opts.Chat.Again == nil || m.talk.id == "" || !m.initialized.Capabilities.LoadSession {
		return nil
	}
	_, err := fmt.Fprintln(out, "\n"+m.log.st.dim("Continue with: "+m.opts.Chat.Again(m.talk.id)))
	return err
}
