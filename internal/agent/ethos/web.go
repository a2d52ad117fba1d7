package ethos

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// WebConfig says where the web API of `ethos serve` is, and who is asked.
type WebConfig struct {
	// Remote is where it is. Ethos wants one of
	//
	//   - the header Authorization with "Bearer " and an API key that has the
	//     scopes chat:send, sessions:read and tools:approve. With a key,
	//     Ethos takes no answers to questions (clarify);
	//   - the header Cookie with "ethos_auth=" and what is in
	//     ~/.ethos/web-token;
	//   - the URL that `ethos serve` prints, with its token as ?t=, with or
	//     without the page /auth/exchange. It is good for one use, and signs
	//     out whoever is signed in.
	Remote httpsse.Config
	// Personality is the id of the one that answers; empty leaves the choice
	// to Ethos.
	Personality string
}

type webAgent struct {
	login       *login
	personality string
	pace        pace
}

// NewWeb returns an agent that talks to the web API of Ethos.
func NewWeb(c WebConfig) agent.Agent {
	return &webAgent{newLogin(c.Remote), c.Personality, defaultPace}
}

// Info implements [agent.Agent].
func (a *webAgent) Info() agent.Info {
	return agent.Info{Name: "ethos", Title: "Ethos", Image: true, Resume: true}
}

// Open implements [agent.Agent]. It fails where the URL is invalid, and connects
// to nothing.
func (a *webAgent) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if _, err := httpsse.New(a.login.config); err != nil {
		return nil, err
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b := &webBackend{
		login:       a.login,
		configured:  a.personality,
		personality: a.personality,
		log:         o.Log,
		pace:        a.pace,
		decoder:     wire.Dialect.NewDecoder(),
		pending:     newPending(),
		id:          o.Memory().Key(),
	}
	if b.kept = b.id; b.id != "" {
		b.lastID = lastOfAll
		b.personality = "" // Ethos keeps the one that it has begun with, and takes no other
	}
	return turns.NewSession(b, o.Log), nil
}
