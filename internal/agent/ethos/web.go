package ethos

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/chat"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// WebConfig says how to reach the web API of `ethos serve`, and which
// personality answers.
type WebConfig struct {
	// Remote is the server. Ethos requires one of
	//
	//   - the header Authorization with "Bearer " and an API key with the scopes
	//     chat:send, sessions:read and tools:approve. With a key, Ethos accepts
	//     no answers to questions (clarify);
	//   - the header Cookie with "ethos_auth=" and the content of
	//     ~/.ethos/web-token;
	//   - the URL that `ethos serve` prints, with its token as ?t=, with or
	//     without the page /auth/exchange. It can be used once, and signs out
	//     the current user.
	Remote httpsse.Config
	// Personality is the id of the personality that answers. If it is empty,
	// Ethos chooses.
	Personality string
}

type webAgent struct {
	login       *login
	personality string
	pace        pace
}

// NewWeb returns an agent that uses the web API of Ethos.
func NewWeb(c WebConfig) agent.Agent {
	return &webAgent{newLogin(c.Remote), c.Personality, defaultPace}
}

// Info implements [agent.Agent].
func (a *webAgent) Info() agent.Info {
	return agent.Info{Name: "ethos", Title: "Ethos", Image: true, Steer: &agent.PromptTakes{}, Resume: true}
}

// Open implements [agent.Agent]. It returns an error if the URL is invalid. It
// does not connect.
func (a *webAgent) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if _, err := httpsse.Connect(a.login.config, &o); err != nil {
		return nil, err
	}
	return lifecycle.NewSession(&webBackend{
		login: a.login, log: o.Log, pace: a.pace,
		chat:    chat.New(o.Memory().Key(), a.personality),
		decoder: wire.Dialect.NewDecoder(),
	}, o), nil
}
