package process

import (
	"context"
	"log/slog"
	"path/filepath"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/turns"
)

// Config describes a command that is an agent.
type Config struct {
	// Args is the command and its arguments, as [child.Spec] takes them.
	Args []string
	// Env is the whole environment; nil means that of this process.
	Env []string
	// Dialect is what the command prints.
	Dialect dialect.Dialect
	// Title names the agent to users; empty means the command's base name.
	Title string
	// Missing is what to do where the command is not there. It is added to the
	// error.
	Missing string
}

type driver struct{ config Config }

// New returns an agent that runs a command for each of its sessions.
func New(c Config) agent.Agent { return &driver{config: c} }

// Info implements [agent.Agent].
func (d *driver) Info() agent.Info {
	var name string
	if len(d.config.Args) > 0 {
		name = filepath.Base(d.config.Args[0])
	}
	title := d.config.Title
	if title == "" {
		title = name
	}
	return agent.Info{Name: name, Title: title}
}

// Open implements [agent.Agent]. It starts nothing.
func (d *driver) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return turns.NewLineSession(&backend{config: d.config, options: o}, o.Log), nil
}
