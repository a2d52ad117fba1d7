package events

import (
	"context"

	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/bridge/kept"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
)

// loadSession handles session/load: everything that was shown is sent before
// the answer.
func (c *source) loadSession(call *core.Call) error {
	return c.reopenSession(call, true)
}

// resumeSession handles session/resume: the session goes on, and the editor has
// what was shown.
func (c *source) resumeSession(call *core.Call) error {
	return c.reopenSession(call, false)
}

func (c *source) reopenSession(call *core.Call, shown bool) error {
	if c.journal == nil {
		return errNotKept
	}
	var req v1.LoadSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	if req.SessionID == "" {
		return missing("sessionId")
	}
	if err := checkFolders(req.Cwd, req.AdditionalDirectories); err != nil {
		return err
	}
	return c.answerOpened(call, func(ctx context.Context) (*session, error) {
		return c.reopen(ctx, req, shown)
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.LoadSessionResponse{Modes: modes, ConfigOptions: options}
	})
}

// errNotKept is the answer to requests for sessions where none are kept.
var errNotKept = protocol.Errorf(protocol.CodeMethodNotFound, "sessions are not kept: this Turnwire was started without a journal")

// reopen makes a session of the journal one of the connection. The session may be
// open here: an editor that has lost its view opens it again.
func (c *source) reopen(ctx context.Context, req v1.LoadSessionRequest, shown bool) (*session, error) {
	c.closeOpen(ctx, req.SessionID)
	j, err := c.journal.Own(req.SessionID)
	if err != nil {
		return nil, kept.Error(req.SessionID, err)
	}
	roots := req.AdditionalDirectories
	if len(roots) == 0 {
		roots = j.Header().Roots
	}
	opening := v1.NewSessionRequest{Cwd: req.Cwd, AdditionalDirectories: roots, MCPServers: req.MCPServers, SystemPrompt: req.SystemPrompt}
	s := c.continued(j, opening)
	return s, c.goOn(ctx, s, opening, shown)
}

// continued is a session that goes on with a journal.
func (c *source) continued(j journal.Journal, req v1.NewSessionRequest) *session {
	return newSession(c, j.Header().ID, req, journal.Continue(j, c.recorders.Add))
}

// goOn brings a session to the state after its records, and has the agent open
// it with what else req says.
func (c *source) goOn(ctx context.Context, s *session, req v1.NewSessionRequest, shown bool) error {
	p := newReplay(s, shown)
	if err := p.run(ctx); err != nil {
		return err
	}
	s.memory.reopen()
	if err := c.openSession(ctx, s, req); err != nil {
		return err
	}
	s.choices.restore(p.chosen)
	return nil
}

// closeOpen closes a session of this connection, if it is open.
func (c *source) closeOpen(ctx context.Context, id string) {
	s, err := c.session(id)
	if err != nil {
		return
	}
	c.forget(id)
	ctx, cancel := context.WithTimeout(ctx, closeGrace)
	defer cancel()
	s.close(ctx)
}
