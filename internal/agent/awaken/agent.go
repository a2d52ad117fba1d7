package awaken

import (
	"cmp"
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
)

// Config says how to reach an Awaken agent.
type Config struct {
	Remote  httpsse.Config
	AgentID string // the agent's id on the server; "" means defaultAgent
}

// defaultAgent is the agent that Awaken's own ACP server runs by default
// (protocols/acp/stdio.rs). Its HTTP server requires an agent id.
const defaultAgent = "default"

// New returns the agent. It contacts the server at the first prompt.
func New(c Config) agent.Agent { return &server{c, defaultPace} }

type server struct {
	config Config
	pace   pace
}

// Info implements [agent.Agent].
func (s *server) Info() agent.Info {
	title := "Awaken"
	if s.config.AgentID != "" {
		title += " (" + s.config.AgentID + ")"
	}
	return agent.Info{Name: "awaken", Title: title, Resume: true}
}

// Open implements [agent.Agent].
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	client, err := httpsse.Connect(s.config.Remote, &o)
	if err != nil {
		return nil, err
	}
	thread := o.Memory().Key()
	return lifecycle.NewSession(&backend{
		client: client, agentID: cmp.Or(s.config.AgentID, defaultAgent), pace: s.pace, log: o.Log,
		thread: thread, recalled: thread != "",
	}, o), nil
}
