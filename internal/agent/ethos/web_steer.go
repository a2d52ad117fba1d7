package ethos

import (
	"context"

	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// errNotSteered is shown to the user, because Ethos gives no details.
var errNotSteered = lifecycle.NewError("not_steered",
	"Ethos rejected the advice: the turn has not started, has ended, or got too much advice. Send it again as a prompt", nil)

// Steer implements [lifecycle.Steerable].
func (b *webBackend) Steer(ctx context.Context, text string) error {
	id := b.chat.ID()
	if id == "" {
		return errNotSteered
	}
	var taken struct {
		OK bool `json:"ok"`
	}
	b.chat.Advise(true) // before the turn may end
	err := b.rpc(ctx, "chat/steer", map[string]string{"sessionId": id, "text": text}, &taken)
	if err == nil && !taken.OK {
		err = errNotSteered
	}
	if err != nil {
		b.chat.Advise(false) // the error says so
	}
	return err
}
