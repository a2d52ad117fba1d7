package events

import (
	"context"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// newSession handles session/new.
func (c *source) newSession(call *core.Call) error {
	var req v1.NewSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if err := checkFolders(req.Cwd, req.AdditionalDirectories); err != nil {
		return err
	}
	return c.opener.answer(call, false, func(ctx context.Context) (*session, error) {
		return c.opener.create(ctx, req)
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.NewSessionResponse{SessionID: s.peers.id, Modes: modes, ConfigOptions: options, Meta: s.setup.steering()}
	})
}

// checkFolders returns an error unless cwd and the additional directories are absolute
// paths.
func checkFolders(cwd string, more []string) error {
	if cwd == "" {
		return missing("cwd")
	}
	for _, dir := range append([]string{cwd}, more...) {
		if !filepath.IsAbs(dir) {
			return protocol.Errorf(protocol.CodeInvalidParams, "%q is not an absolute path", dir).With("path", dir)
		}
	}
	return nil
}

// closeSession handles session/close. It removes the session from the registry at once,
// and answers when the session has ended.
func (c *source) closeSession(call *core.Call) error {
	var req v1.CloseSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.sessions.get(req.SessionID)
	if err != nil {
		return err
	}
	c.sessions.forget(req.SessionID)
	s.queue.cancel()
	c.work.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
		defer cancel()
		s.close(ctx)
		call.Reply(v1.CloseSessionResponse{})
	})
	return nil
}

// cancelSession handles the notification session/cancel.
func (c *source) cancelSession(params []byte) error {
	var n v1.CancelNotification
	if err := core.Decode(params, &n); err != nil {
		return err
	}
	s, err := c.sessions.get(n.SessionID)
	if err != nil {
		return err
	}
	s.queue.cancel()
	return nil
}
