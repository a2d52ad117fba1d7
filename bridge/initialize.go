package bridge

import (
	"encoding/json"

	"github.com/turnwire/turnwire/bridge/mapv1"
	"github.com/turnwire/turnwire/internal/visible"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// client is what the editor has said about itself.
type client struct {
	shows mapv1.Client
	fs    v1.FileSystemCapabilities
}

// initialize answers on the reader's goroutine, so that the connection is
// initialized for messages that the editor sends without waiting. A client that
// speaks several versions may initialize again, until it opens a session.
func (c *conn) initialize(r *request, params json.RawMessage) error {
	var req v1.InitializeRequest
	if err := decode(params, &req); err != nil {
		return err
	}
	c.mu.Lock()
	if c.begun {
		c.mu.Unlock()
		return protocol.Errorf(protocol.CodeInvalidRequest, "the connection is initialized already, and a session was opened")
	}
	c.client = &client{shows: mapv1.NewClient(req.ClientCapabilities), fs: req.ClientCapabilities.FS}
	c.mu.Unlock()
	if i := req.ClientInfo; i != nil {
		c.log.Info("initialized", "client", i.Name, "version", i.Version, "protocol", req.ProtocolVersion)
	}
	info := c.agent.Info()
	title := "Turnwire"
	if info.Title != "" {
		title += ": " + visible.Text(info.Title)
	}
	// Whichever version was requested, the answer is the latest supported one.
	r.reply(v1.InitializeResponse{
		ProtocolVersion: v1.Version,
		AgentInfo:       &v1.Implementation{Name: "turnwire", Title: title, Version: c.version},
		AgentCapabilities: v1.AgentCapabilities{
			PromptCapabilities: v1.PromptCapabilities{Image: info.Image, Audio: info.Audio, EmbeddedContext: true},
			SessionCapabilities: v1.SessionCapabilities{
				Close:                 &v1.Marker{},
				AdditionalDirectories: &v1.Marker{},
			},
			Meta: v1.Meta{v1.EventsMeta: true},
		},
		AuthMethods: []v1.AuthMethod{},
	})
	return nil
}
