package ethos

import (
	"context"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/agent"
)

// steering is the slash command in Ethos's own chat that gives advice to the
// running turn.
var steering = agent.Command{
	Name: agent.SteerCommand, Hint: "what to do differently",
	Description: "Advise the running turn; Ethos reads the advice after the current tool",
}

// unsteered returns a prompt's text for Ethos. Like Ethos's own chat, it treats
// advice as a message if no turn is running.
func unsteered(text string) string {
	if advice, is := strings.CutPrefix(strings.TrimSpace(text), "/"+agent.SteerCommand+" "); is {
		return strings.TrimSpace(advice)
	}
	return text
}

// errNotSteered has all possible reasons, because Ethos gives no details.
var errNotSteered = errors.New("rejected: the turn has not started, has ended, or got too much advice")

// Steer implements [lifecycle.Steerable].
func (b *webBackend) Steer(ctx context.Context, text string) error {
	id := b.session()
	if id == "" {
		return errNotSteered
	}
	var taken struct {
		OK bool `json:"ok"`
	}
	b.unread.Store(true) // before the turn may end
	err := b.rpc(ctx, "chat/steer", map[string]string{"sessionId": id, "text": text}, &taken)
	if err == nil && !taken.OK {
		err = errNotSteered
	}
	if err != nil {
		b.unread.Store(false) // the error says so
	}
	return err
}

// trackAdvice notifies the user at the end of a turn if no tool has ended since the last
// advice. Ethos has not read it then, and does not say so.
func (w *webTurn) trackAdvice(event string) {
	switch event {
	case "tool_end":
		w.backend.unread.Store(false)
	case "done", "error":
		if w.backend.unread.Swap(false) && !w.isCancelled() {
			w.turn.Emit(&agent.Notice{Severity: "warning", Message: "The turn ended before Ethos read your advice. Send it again as a prompt."})
		}
	}
}
