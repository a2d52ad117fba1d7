package bridge

import (
	"encoding/json"

	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// setConfig answers session/set_config_option. What is set already can be set
// again; nothing else was offered.
func (c *conn) setConfig(r *request, params json.RawMessage) error {
	var req v1.SetConfigOptionRequest
	if err := decode(params, &req); err != nil {
		return err
	}
	s, err := c.session(req.SessionID)
	if err != nil {
		return err
	}
	s.mu.Lock()
	options := s.config
	s.mu.Unlock()
	for _, o := range options {
		if o.ID == req.ConfigID && o.CurrentValue == req.Value {
			r.reply(v1.SetConfigOptionResponse{ConfigOptions: options})
			return nil
		}
	}
	return protocol.Errorf(protocol.CodeInvalidParams, "%q has no value %v to choose", req.ConfigID, req.Value)
}
