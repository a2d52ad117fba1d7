package ethos

import (
	"cmp"
	"context"
	"errors"

	"github.com/turnwire/turnwire/agent"
)

var errBound = errors.New("Ethos cannot change a conversation's personality; choose it before the first prompt of a new session") //nolint:staticcheck // Ethos is a name

// Announce implements [lifecycle.Configurable]. The personalities are the modes. If
// the API key can't list them (without personalities:read), no modes are
// offered.
func (b *webBackend) Announce(ctx context.Context, say func(agent.Event) bool) {
	var list struct {
		Items []struct {
			ID          string `json:"id"`
			Name        string `json:"name"`
			Description string `json:"description"`
		} `json:"items"`
		Default string `json:"defaultId"`
	}
	if !say(&agent.AvailableCommands{Commands: []agent.Command{steering}}) {
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
	e := &agent.ModeChanged{ModeID: cmp.Or(b.bound(ctx), list.Default)}
	b.mu.Lock()
	if b.personality != "" {
		e.ModeID = b.personality
	}
	for _, p := range list.Items {
		e.Available = append(e.Available, agent.Choice{ID: p.ID, Name: p.Name, Description: p.Description})
	}
	b.say = say
	b.mu.Unlock()
	if len(e.Available) > 0 && e.ModeID != "" {
		say(e)
	}
}

// bound returns the personality of a conversation from an earlier session, or ""
// if unknown.
func (b *webBackend) bound(ctx context.Context) string {
	id := b.session()
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
func (b *webBackend) Configure(_ context.Context, o agent.SetOption) error {
	if o.OptionID != agent.OptionMode || o.Value.Choice == "" {
		return errors.New("unknown option")
	}
	b.mu.Lock()
	if b.id != "" && b.personality != o.Value.Choice {
		b.mu.Unlock()
		return errBound
	}
	b.personality = o.Value.Choice
	say := b.say
	b.mu.Unlock()
	if say != nil {
		say(&agent.ModeChanged{ModeID: o.Value.Choice})
	}
	return nil
}
