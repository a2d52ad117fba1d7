package ethos

import (
	"context"
	"errors"
)

// errNotSteered has all possible reasons, because Ethos gives no details.
var errNotSteered = errors.New("rejected: the turn has not started, has ended, or got too much advice")

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
