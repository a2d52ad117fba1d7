package awaken

import (
	"context"
	"errors"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/driver"
	"github.com/turnwire/turnwire/agent/remote"
)

// Config says where an agent of Awaken is.
type Config struct {
	Remote  remote.Config
	AgentID string // which of the server's agents it is
}

// New returns the agent. Its server is asked at the first prompt.
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
	return agent.Info{Name: "awaken", Title: title}
}

var errNoAgent = errors.New("the configuration of this Awaken server names no agent: set its agentId to one that GET /v1/agents lists")

// Open implements [agent.Agent].
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if s.config.AgentID == "" {
		return nil, errNoAgent
	}
	c := s.config.Remote
	if c.Log == nil {
		c.Log = o.Log
	}
	client, err := remote.New(c)
	if err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return driver.NewSession(&backend{client: client, agentID: s.config.AgentID, pace: s.pace, log: log}, log), nil
}
