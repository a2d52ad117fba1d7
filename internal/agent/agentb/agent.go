package agentb

import (
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// Config says how to reach an AgentB handler.
type Config struct {
	Remote httpsse.Config
	// Path is the route of the streaming handler; with "" it is found, see
	// [Routes].
	Path string
	// ToolOutputs is a route that the host has added to give a paused run the
	// tool outputs that it waits for. It takes
	//
	//	{"runId", "threadId", "toolOutputs": [{"tool_call_id", "output"}]}
	//
	// and answers with a stream as Path does. Without it a pause ends the turn.
	ToolOutputs string
	// CancelPath is a route that the host has added to cancel a run. It takes
	// {"runId", "threadId"}. Without it a cancelled run continues unseen on the
	// server.
	CancelPath string
}

type server struct{ config Config }

// New returns an agent for an AgentB handler. It connects at the first prompt.
func New(c Config) agent.Agent {
	return &server{config: c}
}

// Info implements [agent.Agent]. The handler takes only text.
func (*server) Info() agent.Info { return agent.Info{Name: "agentb", Title: "AgentB", Resume: true} }

// Open implements [agent.Agent]. It fails if the URL is not valid.
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := s.config
	if c.Remote.Log == nil {
		c.Remote.Log = o.Log
	}
	client, err := httpsse.New(c.Remote)
	if err != nil {
		return nil, err
	}
	b := &backend{config: c, client: client, log: o.Log, routes: Routes(c.Remote.BaseURL, c.Path), thread: o.Memory().Key()}
	b.kept = b.thread
	return turns.NewSession(b, o.Log), nil
}
