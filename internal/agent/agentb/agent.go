package agentb

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// Config says how to reach an AgentB handler.
type Config struct {
	Remote httpsse.Config
	// Path is the route of the streaming handler. If it is empty, it is
	// discovered; see [Routes].
	Path string
	// ToolOutputs is a route that the host added to submit the tool outputs
	// that a paused run waits for. It accepts
	//
	//	{"runId", "threadId", "toolOutputs": [{"tool_call_id", "output"}]}
	//
	// and responds with a stream, as Path does. If it is empty, a pause ends
	// the turn.
	ToolOutputs string
	// CancelPath is a route that the host added to cancel a run. It accepts
	// {"runId", "threadId"}. If it is empty, a cancelled run continues unseen
	// on the server.
	CancelPath string
}

type server struct{ config Config }

// New returns an agent for an AgentB handler. It connects at the first prompt.
func New(c Config) agent.Agent { return &server{c} }

// Info implements [agent.Agent]. The handler accepts only text.
func (*server) Info() agent.Info { return agent.Info{Name: "agentb", Title: "AgentB", Resume: true} }

// Open implements [agent.Agent]. It returns an error if the URL is invalid.
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	client, err := httpsse.Connect(s.config.Remote, &o)
	if err != nil {
		return nil, err
	}
	routes := Routes(s.config.Remote.BaseURL, s.config.Path)
	b := &backend{
		Backend: runs.Backend{Protocol: "AgentB", Client: client, Log: o.Log},
		config:  s.config, routes: routes, thread: o.Memory().Key(),
	}
	return lifecycle.NewSession(b, o), nil
}
