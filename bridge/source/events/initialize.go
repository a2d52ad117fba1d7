package events

import (
	"context"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/internal/visible"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// client is what the editor has said about itself.
type client struct {
	shows mapv1.Client
	fs    v1.FileSystemCapabilities
	about agent.Editor // what agents are told
	name  string       // it calls itself
	forks bool         // it wants to be offered session/fork, which is unstable
	times bool         // it wants the times of replayed updates
}

func newClient(req *v1.InitializeRequest) *client {
	can := &req.ClientCapabilities
	c := &client{shows: mapv1.NewClient(*can), fs: can.FS, forks: can.Meta[v1.ForkMeta] == true, times: can.Meta[v1.TimesMeta] == true}
	if req.ClientInfo != nil {
		c.name = req.ClientInfo.Name
	}
	c.about = agent.Editor{
		ReadFile: can.FS.ReadTextFile, WriteFile: can.FS.WriteTextFile, Terminal: can.Terminal,
		Forms: c.shows.Form, Pages: c.shows.Page,
	}
	if i := req.ClientInfo; i != nil {
		c.about.Name, c.about.Version = i.Name, i.Version
	}
	return c
}

// initialize runs on the reader's goroutine, so that the connection is initialized
// for messages that the editor sends without waiting. It answers there too, unless
// an agent has to say first what it takes. A client that speaks several versions
// may initialize again, until it opens a session.
func (c *source) initialize(call *core.Call) error {
	var req v1.InitializeRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	c.mu.Lock()
	if c.begun {
		c.mu.Unlock()
		return protocol.Errorf(protocol.CodeInvalidRequest, "the connection is initialized already, and a session was opened")
	}
	answered := make(chan struct{})
	c.client, c.initialized = newClient(&req), answered
	c.mu.Unlock()
	if i := req.ClientInfo; i != nil {
		c.log.Info("initialized", "client", i.Name, "version", i.Version, "protocol", req.ProtocolVersion)
	}
	if !c.prepare {
		c.answerInitialize(call, answered)
		return nil
	}
	ready := c.agent.(agent.Preparer).Prepare(c.log)
	select {
	case <-ready:
		c.answerInitialize(call, answered)
		return nil
	default:
	}
	c.work.Go(func() {
		select {
		case <-ready:
		case <-c.ctx.Done(): // the input has ended
		}
		c.answerInitialize(call, answered)
	})
	return nil
}

// awaitInitialized waits for the answer to initialize: a session is not to be
// answered before that.
func (c *source) awaitInitialized(ctx context.Context) {
	c.mu.Lock()
	answered := c.initialized
	c.mu.Unlock()
	select {
	case <-answered:
	case <-ctx.Done():
	}
}

// answerInitialize answers with what is known of the agent by now.
func (c *source) answerInitialize(call *core.Call, answered chan struct{}) {
	defer close(answered)
	info := c.agent.Info()
	title := visible.Text(info.Title)
	switch {
	case c.name != turnwire: // it is nobody's business who speaks for the agent
	case title == "":
		title = "Turnwire"
	default:
		title = "Turnwire: " + title
	}
	takes := info.Takes()
	var mcp v1.MCPCapabilities
	if takes.MCP != nil {
		mcp = v1.MCPCapabilities{HTTP: takes.MCP.HTTP, SSE: takes.MCP.SSE}
	}
	var system *v1.SystemPromptCapabilities
	if takes.System != nil {
		system = &v1.SystemPromptCapabilities{}
		if takes.System.Replace {
			system.Mode = &v1.SystemPromptModes{Override: &v1.Marker{}}
		}
	}
	meta := v1.Meta{v1.EventsMeta: true}
	sessions := v1.SessionCapabilities{SystemPrompt: system, Close: &v1.Marker{}, AdditionalDirectories: &v1.Marker{}}
	if c.journal != nil {
		sessions.List, sessions.Delete, sessions.Resume = &v1.Marker{}, &v1.Marker{}, &v1.Marker{}
		meta[v1.TitleMeta] = true
		c.mu.Lock()
		forks := c.client.forks
		c.mu.Unlock()
		if forks {
			sessions.Fork = &v1.Marker{}
		}
	}
	// Whichever version was requested, the answer is the latest supported one.
	call.Reply(v1.InitializeResponse{
		ProtocolVersion: v1.Version,
		AgentInfo:       &v1.Implementation{Name: c.name, Title: title, Version: c.version},
		AgentCapabilities: v1.AgentCapabilities{
			LoadSession:         c.journal != nil,
			PromptCapabilities:  v1.PromptCapabilities{Image: takes.Image, Audio: takes.Audio, EmbeddedContext: true},
			MCPCapabilities:     mcp,
			SessionCapabilities: sessions,
			Meta:                meta,
		},
		AuthMethods: []v1.AuthMethod{noLogin},
	})
}
