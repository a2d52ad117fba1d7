package agui

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui/thread"
	"github.com/turnwire/turnwire/internal/agent/tools"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// Config says how to reach an AG-UI server.
type Config struct {
	// Title is the agent's name for users; "" means AG-UI.
	Title string
	// Remote has the URL that runs are posted to.
	Remote httpsse.Config
	// Context is sent to the agent with each run.
	Context []thread.Context
	// ForwardedProps is passed to the agent unchanged; nil means an empty object.
	ForwardedProps json.RawMessage
	// Tools are those of Turnwire's tools that the agent is offered. It may read the
	// session's folders with them.
	Tools []agent.OfferedTool
	// Tap, if not nil, is called with each line before it is decoded.
	Tap func(line []byte)
}

type server struct{ config Config }

// New returns an agent for an AG-UI server. It connects at the first prompt.
func New(c Config) agent.Agent { return &server{c} }

// Info implements [agent.Agent].
func (s *server) Info() agent.Info {
	return agent.Info{Name: "agui", Title: cmp.Or(s.config.Title, "AG-UI"), Image: true, Audio: true, Resume: true, Fork: true, Rewind: true}
}

// Open implements [agent.Agent]. It returns an error if the URL is invalid.
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	c := s.config
	c.Remote.Prompt = true // each run starts with an event
	c.Remote.PathHint = "The path depends on the framework: try /, /agent, /agui, or see where the server mounts AG-UI"
	client, err := httpsse.Connect(c.Remote, &o)
	if err != nil {
		return nil, err
	}
	b := &backend{
		Backend: runs.Backend{Protocol: "AG-UI", Client: client, Log: o.Log, Tap: c.Tap},
		thread:  thread.Recall(o.Memory()),
		input: thread.Input{
			ThreadID: o.SessionID, ProtocolVersion: thread.Version, Tools: c.Tools, Context: c.Context, ForwardedProps: c.ForwardedProps,
		},
	}
	if len(c.Tools) > 0 {
		b.tools, b.announce = tools.New(o, tools.Limits{}), true
	}
	return lifecycle.NewSession(b, o), nil
}
