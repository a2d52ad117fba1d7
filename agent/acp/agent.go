package acp

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/transport/turns"
)

// Config describes an agent that speaks the protocol: a command, or a server.
type Config struct {
	// Name is what people call the agent; empty means the command's base name.
	Name string
	// Args is the command and its arguments, as child.Spec takes them.
	Args []string
	// Env is the whole environment; nil means that of this process.
	Env []string
	// URL is where the agent is, in place of Args: over ACP's remote transport.
	URL string
	// Header is sent there.
	Header http.Header
	// Repairs says how the agent departs from the protocol.
	Repairs Repairs
	// StartTimeout is how long the agent may take to answer "initialize" and
	// "session/new"; zero means a minute, for some are fetched first.
	StartTimeout time.Duration
}

const defaultStartTimeout = time.Minute

type downstream struct{ config Config }

// New returns the agent that a command, or a server, is.
func New(c Config) agent.Agent {
	if c.StartTimeout <= 0 {
		c.StartTimeout = defaultStartTimeout
	}
	if c.Name == "" {
		c.Name = nameOf(c)
	}
	return &downstream{c}
}

// nameOf is a name of an agent that has none.
func nameOf(c Config) string {
	if u, err := url.Parse(c.URL); err == nil && c.URL != "" {
		return u.Host
	}
	if len(c.Args) > 0 {
		return filepath.Base(c.Args[0])
	}
	return ""
}

// NewGlue returns Glue; its Args are by default `glue acp`.
func NewGlue(c Config) agent.Agent {
	if c.Name == "" {
		c.Name = "glue"
	}
	if len(c.Args) == 0 {
		c.Args = []string{"glue", "acp"}
	}
	c.Repairs = GlueRepairs()
	return New(c)
}

// Info implements [agent.Agent]. What the agent can take is known only when it
// runs, and the editor asks before: a prompt that holds more is refused.
func (d *downstream) Info() agent.Info {
	return agent.Info{Name: d.config.Name, Title: d.config.Name, Image: true, Audio: true, MCP: &agent.MCPTakes{HTTP: true, SSE: true}}
}

// Open implements [agent.Agent]. It does not wait for the agent to start.
func (d *downstream) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return turns.NewSession(newBackend(d.config, o), o.Log), nil
}
