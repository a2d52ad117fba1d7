package events

import (
	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// setConfig handles session/set_config_option.
func (c *source) setConfig(call *core.Call) error {
	var req v1.SetConfigOptionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.sessions.get(req.SessionID)
	if err != nil {
		return err
	}
	if req.Value == nil {
		return missing("value")
	}
	return s.choices.choose(&choice{
		request: call,
		name:    req.ConfigID,
		chosen:  *req.Value,
		is:      func(o agent.Option) bool { return o.ID == req.ConfigID },
		answer: func(options []agent.Option) any {
			return v1.SetConfigOptionResponse{ConfigOptions: acpmap.Config(options, s.peers.client.shows)}
		},
	})
}

// setMode handles session/set_mode, for clients that support modes but not options.
func (c *source) setMode(call *core.Call) error {
	var req v1.SetModeRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.sessions.get(req.SessionID)
	if err != nil {
		return err
	}
	if req.ModeID == "" {
		return missing("modeId")
	}
	return s.choices.choose(&choice{
		request: call,
		name:    "the mode",
		chosen:  v1.ConfigValue{ID: req.ModeID},
		is:      acpmap.IsMode,
		answer:  func([]agent.Option) any { return v1.SetModeResponse{} },
	})
}
