package events

import (
	"context"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/visible"
	"github.com/turnwire/turnwire/protocol"
)

// client is what the editor said about itself.
type client struct {
	shows   acpmap.Client
	fs      v1.FileSystemCapabilities
	about   agent.Editor // passed on to agents
	name    string       // the name it calls itself
	forks   bool         // it wants session/fork, which is unstable
	times   bool         // it wants the timestamps of replayed updates
	cursors bool         // it wants to know at which messages a session can be forked
}

func newClient(req *v1.InitializeRequest) *client {
	can := &req.ClientCapabilities
	c := &client{shows: acpmap.NewClient(*can), fs: can.FS, forks: can.Meta[v1.ForkMeta] == true, times: can.Meta[v1.TimesMeta] == true}
	c.cursors = can.Session != nil && can.Session.Cursors != nil
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

// A handshake is the exchange that initializes a connection. mu guards the fields that
// the reader sets and the sessions' goroutines read.
type handshake struct {
	preparer agent.Preparer // starts the agent to learn its capabilities; may be nil

	mu       sync.Mutex
	client   *client         // nil before initialize
	steers   bool            // the initialize response said that the agent reads messages during turns
	answered <-chan struct{} // closed when the last initialize is answered
}

// begin starts a handshake with a client. The caller closes answered.
func (h *handshake) begin(cl *client) (answered chan struct{}) {
	answered = make(chan struct{})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.client, h.answered = cl, answered
	return answered
}

// offer records whether the initialize response offers messages during turns.
func (h *handshake) offer(steers bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.steers = steers
}

// offers returns what offer recorded.
func (h *handshake) offers() (steers bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.steers
}

// current returns the client of the latest initialize.
func (h *handshake) current() *client {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.client
}

// await waits for the initialize response: no session may be answered before it.
func (h *handshake) await(ctx context.Context) {
	h.mu.Lock()
	answered := h.answered
	h.mu.Unlock()
	select {
	case <-answered:
	case <-ctx.Done():
	}
}

// dismiss ends the agent that was started to learn its capabilities.
func (h *handshake) dismiss(ctx context.Context) {
	if h.preparer != nil {
		h.preparer.Dismiss(ctx)
	}
}

// initialize handles initialize. It runs on the reader's goroutine, so that the
// connection is initialized for messages that the editor sends without waiting. It
// answers there too, unless an agent must first report its capabilities. A client that
// speaks several versions may initialize again, until it opens a session.
func (c *source) initialize(call *core.Call) error {
	var req v1.InitializeRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if c.sessions.hasBegun() {
		return protocol.Errorf(protocol.CodeInvalidRequest, "the connection is already initialized and has a session")
	}
	answered := c.handshake.begin(newClient(&req))
	if i := req.ClientInfo; i != nil {
		c.cfg.Log.Info("initialized", "client", i.Name, "version", i.Version, "protocol", req.ProtocolVersion)
	}
	answer := func() {
		defer close(answered)
		// Whatever version was requested, the answer is the latest supported one.
		response := c.cfg.introduce(c.handshake.current())
		c.handshake.offer(response.Meta != nil)
		call.Reply(response)
	}
	if c.handshake.preparer == nil {
		answer()
		return nil
	}
	ready := c.handshake.preparer.Prepare(c.cfg.Log)
	select {
	case <-ready:
		answer()
		return nil
	default:
	}
	c.work.Go(func() {
		select {
		case <-ready:
		case <-c.ctx.Done(): // the input ended
		}
		answer()
	})
	return nil
}

// introduce returns the initialize response, with what is known about the agent so far.
func (cfg *Config) introduce(to *client) v1.InitializeResponse {
	info := cfg.Agent.Info()
	title := visible.Text(info.Title)
	if title == "" && cfg.Name == turnwire { // otherwise the embedding program names the agent
		title = "Turnwire"
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
	if cfg.Journal != nil {
		sessions.List, sessions.Delete, sessions.Resume = &v1.Marker{}, &v1.Marker{}, &v1.Marker{}
		meta[v1.TitleMeta] = true
		if to.forks {
			sessions.Fork, meta[v1.ForkMeta] = &v1.Marker{}, true
		}
	}
	var more v1.Meta
	if takes.Steer != nil {
		more = v1.Meta{v1.SteeringMeta: v1.SteeringSupported}
	}
	return v1.InitializeResponse{
		ProtocolVersion: v1.Version,
		AgentInfo:       &v1.Implementation{Name: cfg.Name, Title: title, Version: cfg.Version},
		AgentCapabilities: v1.AgentCapabilities{
			LoadSession:         cfg.Journal != nil,
			PromptCapabilities:  v1.PromptCapabilities{Image: takes.Image, Audio: takes.Audio, EmbeddedContext: true},
			MCPCapabilities:     mcp,
			SessionCapabilities: sessions,
			Meta:                meta,
		},
		AuthMethods: []v1.AuthMethod{noLogin},
		Meta:        more,
	}
}
