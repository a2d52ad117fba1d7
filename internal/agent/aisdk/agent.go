// Package aisdk connects to servers that use the AI SDK (npm package ai): a chat route
// that accepts UI messages and responds with a UI message stream. Package wire decodes
// the stream.
//
// The client owns the conversation: each request contains all messages. They are the
// session's state, so a session continues after a restart, and with a fork the
// conversations part. An approval is part of a message, too. It is sent once all
// approvals that the stream asked for are decided, and never after a cancel.
package aisdk

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/aisdk/chat"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/runs"
)

// Config says how to reach a server.
type Config struct {
	// Title is the agent's name for users; "" means AI SDK.
	Title string
	// Remote has the URL of the chat route. Without a path, the route is /api/chat.
	Remote httpsse.Config
}

type server struct{ config Config }

// New returns an agent for a server. It connects at the first prompt.
func New(c Config) agent.Agent { return server{c} }

// Info implements [agent.Agent].
func (s server) Info() agent.Info {
	return agent.Info{Name: "aisdk", Title: cmp.Or(s.config.Title, "AI SDK"), Image: true, Audio: true, Resume: true, Fork: true, Rewind: true}
}

// Open implements [agent.Agent]. It returns an error if the URL is invalid.
func (s server) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	client, err := httpsse.Connect(s.config.Remote, &o)
	if err != nil {
		return nil, err
	}
	b := &backend{
		Backend: runs.Backend{Protocol: "the AI SDK", Client: client, Log: o.Log},
		id:      o.SessionID, messages: chat.Recall(o.Memory()),
	}
	if u, err := url.Parse(s.config.Remote.BaseURL); err == nil && strings.Trim(u.Path, "/") == "" {
		b.path = "/api/chat"
	}
	return lifecycle.NewSession(b, o), nil
}
