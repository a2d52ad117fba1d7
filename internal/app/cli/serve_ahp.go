package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// hostFolder returns the folder for the state of the Agent Host Protocol host.
func hostFolder() (string, error) {
	state, err := config.StateFolder()
	return filepath.Join(state, "ahp"), err
}

// host creates an Agent Host Protocol host for all served agents. own is the agent at
// /acp.
func (o *serveOptions) host(h *hubs, own *agents.Choice, log *slog.Logger) (*ahphost.Host, error) {
	folder, err := hostFolder()
	if err != nil {
		return nil, err
	}
	home, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	c := ahphost.Config{Version: version(), Log: log, Journal: h.store, Home: home, Spool: h.spool()}
	if h.store != nil {
		c.Folder = folder
	}
	taken := make(map[string]bool)
	add := func(name string, choice *agents.Choice) {
		provider := providerOf(name)
		if taken[provider] {
			log.Warn("an agent is not served over the Agent Host Protocol because another one has the same name", "agent", name, "provider", provider)
			return
		}
		taken[provider] = true
		c.Agents = append(c.Agents, ahphost.Agent{
			Provider: provider, Key: choice.Key, Title: choice.Title(), Description: "Turnwire: " + choice.Title(),
			Open: func(v core.View, hangUp func()) (core.Source, error) {
				made, _ := h.of(name)
				if made == nil {
					return nil, errors.New("the agent no longer exists")
				}
				return made.Connect(v, hub.Client{Host: true, HangUp: hangUp}), nil
			},
		})
	}
	add("", own)
	for _, name := range o.otherAgents(log) {
		other := o.agent
		other.name = name
		choice, err := other.open(".")
		if err != nil {
			log.Warn("an agent cannot be served", "agent", name, "error", err)
			continue
		}
		add(name, &choice)
	}
	made := ahphost.New(c)
	h.mu.Lock()
	h.ahp = made
	h.mu.Unlock()
	return made, nil
}

// ownProvider is the provider name of the agent at /acp.
const ownProvider = "turnwire"

// providerOf returns an agent's provider name: the scheme of its session URIs.
func providerOf(name string) string {
	if name == "" {
		return ownProvider
	}
	var b strings.Builder
	for _, c := range strings.ToLower(name) {
		if c >= 'a' && c <= 'z' || b.Len() > 0 && (c >= '0' && c <= '9' || c == '-' || c == '.') {
			b.WriteRune(c)
		} else {
			b.WriteByte('x')
		}
	}
	return "turnwire-" + b.String()[:min(b.Len(), 48)]
}

// host returns a function that serves connections to a host.
func (h *hubs) host(host *ahphost.Host) func(context.Context, *server.Conn) {
	return func(ctx context.Context, c *server.Conn) {
		defer h.measured.Connected("ahp", c.Transport, c.Token)()
		in, out := h.measured.Count("ahp", c, c)
		if err := host.ServeFrom(ctx, h.options.client(c), in, out, c.CloseRead); err != nil && !errors.Is(err, ahphost.ErrClosed) {
			h.log.Warn("a connection failed", "remote", c.Remote, "token", c.Token, "error", err)
		}
	}
}
