package awaken

import (
	"cmp"
	"context"
	"log/slog"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
)

// Config says where an agent of Awaken is.
type Config struct {
	Remote  httpsse.Config
	AgentID string // which of the server's agents it is; "" is defaultAgent
}

// defaultAgent is the agent that Awaken's own ACP server runs where nobody
// names one (protocols/acp/stdio.rs). Its HTTP server takes no run without one.
const defaultAgent = "default"

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
	return agent.Info{Name: "awaken", Title: title, Resume: true}
}

// Open implements [agent.Agent].
func (s *server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	c := s.config.Remote
	if c.Log == nil {
		c.Log = o.Log
	}
	client, err := httpsse.New(c)
	if err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	b := &backend{client: client, agentID: cmp.Or(s.config.AgentID, defaultAgent), pace: s.pace, log: log, thread: o.Memory().Key()}
	b.kept, b.recalled = b.thread, b.thread != ""
	return turns.NewSession(b, log), nil
}
