package ethos

import (
	"cmp"
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/chat"
)

// Announce implements [lifecycle.Configurable]. The personalities are the modes. If
// the API key can't list them (without personalities:read), no modes are
// offered.
func (b *webBackend) Announce(ctx context.Context, say func(agent.Event) bool) {
	var list struct {
		Items   []agent.Choice `json:"items"`
		Default string         `json:"defaultId"`
	}
	if !say(&agent.AvailableCommands{Commands: []agent.Command{chat.Steering}}) {
		return
	}
	err := b.connect(ctx)
	if err == nil {
		err = b.rpc(ctx, "personalities/list", struct{}{}, &list)
	}
	if err != nil {
		b.log.Info("the Ethos personalities could not be read", "error", err)
		return
	}
	b.chat.Offer(say, list.Items, cmp.Or(b.bound(ctx), list.Default))
}

// bound returns the personality of a conversation from an earlier session, or ""
// if unknown.
func (b *webBackend) bound(ctx context.Context) string {
	id := b.chat.ID()
	if id == "" {
		return ""
	}
	var found struct {
		Session struct {
			PersonalityID string `json:"personalityId"`
		} `json:"session"`
	}
	if err := b.rpc(ctx, "sessions/get", map[string]string{"id": id}, &found); err != nil {
		b.log.Info("the conversation's personality could not be read", "error", err)
	}
	return found.Session.PersonalityID
}

// Configure implements [lifecycle.Configurable].
func (b *webBackend) Configure(_ context.Context, o agent.SetOption) error { return b.chat.Choose(o) }
