package events

import (
	"cmp"
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
// and answers when the session has ended. If earlier calls open the session again, it closes
// what they open.
func (c *source) closeSession(call *core.Call) error {
	var req v1.CloseSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	again := c.sessions.reopenings(req.SessionID) // before get, which may find what they opened
	s, err := c.sessions.get(req.SessionID)
	if err != nil && len(again) == 0 {
		return err
	}
	if s != nil {
		s.queue.cancel()
	}
	if len(again) == 0 {
		c.sessions.forgetOne(s)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	call.OnCancel(cancel)
	c.work.Go(func() {
		defer cancel()
		for _, one := range again { // the first closes s before it opens the session again
			select {
			case <-one.done:
			case <-ctx.Done():
				call.Fail(context.Canceled)
				return
			}
			s = cmp.Or(one.opened, s)
		}
		if s == nil { // it could not be opened again
			call.Fail(errUnknown(req.SessionID))
			return
		}
		c.closeNow(s)
		call.Reply(v1.CloseSessionResponse{})
	})
	return nil
}

// closeNow closes a session.
func (c *source) closeNow(s *session) {
	c.sessions.forgetOne(s)
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.close(ctx)
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
