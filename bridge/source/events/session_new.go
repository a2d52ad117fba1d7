package events

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strconv"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/bridge/core"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/protocol"
	v1 "github.com/turnwire/turnwire/protocol/v1"
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
	return c.answerOpened(call, func(ctx context.Context) (*session, error) {
		id := newID()
		s := newSession(c, id, req, c.newRecorder(id, req))
		return s, c.openSession(ctx, s, req)
	}, func(s *session) any {
		modes, options := s.choices.offers()
		return v1.NewSessionResponse{SessionID: s.peers.id, Modes: modes, ConfigOptions: options}
	})
}

// checkFolders checks the directories of a request.
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

// answerOpened answers call when a session has been opened, or has not. The session's
// goroutine starts when the answer is in the stream, so that the first update
// follows the answer: editors drop updates of sessions that they do not know
// yet. If opening fails, nothing is left of the session.
func (c *source) answerOpened(call *core.Call, opening func(ctx context.Context) (*session, error), answer func(s *session) any) error {
	if err := c.takePlace(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(c.ctx)
	call.OnCancel(cancel)
	c.work.Go(func() {
		defer cancel()
		opened := make(chan *session, 1)
		failed := make(chan error, 1)
		c.work.Go(func() {
			c.awaitInitialized(ctx)
			s, err := opening(ctx)
			if err != nil {
				if s != nil {
					s.record.close()
				}
				c.leavePlace()
				failed <- err
				return
			}
			opened <- s
		})
		select {
		case s := <-opened:
			call.Reply(answer(s))
			go s.serve()
		case err := <-failed:
			call.Fail(named(err))
		case <-ctx.Done(): // the agent may take its time to start
			call.Fail(context.Canceled)
			select {
			case s := <-opened:
				c.abandon(s)
			case err := <-failed:
				c.log.Debug("a session that was given up did not open", "error", err)
			}
		}
	})
	return nil
}

// abandon closes a session that the editor does not know.
func (c *source) abandon(s *session) {
	c.forget(s.peers.id)
	c.leavePlace()
	s.record.close()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.peers.closeAgent(ctx)
}

// named adds the code of an agent's error, for programs.
func named(err error) error {
	coded, ok := errors.AsType[interface {
		error
		Code() string
	}](err)
	if !ok {
		return err
	}
	return (&protocol.Error{Code: protocol.CodeInternal, Err: err}).With("code", coded.Code())
}

// takePlace reserves room for one more session.
func (c *source) takePlace() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open >= c.maxSessions {
		return protocol.Errorf(protocol.CodeInvalidRequest,
			"%d sessions are open, as many as may be; close one, or start turnwire with a larger --max-sessions", c.open)
	}
	c.open++
	c.begun = true
	return nil
}

// leavePlace frees the room of a session.
func (c *source) leavePlace() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open--
}

// openSession has the agent open a session, and makes it one of the connection.
func (c *source) openSession(ctx context.Context, s *session, req v1.NewSessionRequest) error {
	if err := s.setup.fill(&req, c.agent.Info().Takes()); err != nil {
		return err
	}
	// A start holds the only processor until the agent's program runs. While many
	// wait for theirs, the others are still answered, cancels and the end above
	// all.
	select {
	case c.starting <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := ctx.Err() // both may have been so
	if err == nil {
		s.peers.agent, err = c.agent.Open(ctx, s.agentOptions(req))
	}
	<-c.starting
	if err != nil {
		return err
	}
	s.setup.start(c.agent.Info().Takes())
	s.greet(ctx)
	if err := s.setup.check(); err != nil {
		c.work.Go(func() { _ = s.peers.agent.Close(context.WithoutCancel(ctx)) })
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ending || ctx.Err() != nil {
		// The editor does not know the session, so it will never close it.
		c.work.Go(func() { _ = s.peers.agent.Close(c.ctx) })
		return context.Canceled
	}
	c.sessions[s.peers.id] = s
	s.record.begin() // an editor may close it, and prompt it when it has opened it again
	return nil
}

// agentOptions are what the session's agent is opened with.
func (s *session) agentOptions(req v1.NewSessionRequest) agent.Options {
	return agent.Options{
		SessionID:  s.peers.id,
		Cwd:        filepath.Clean(req.Cwd),
		Roots:      req.AdditionalDirectories,
		MCPServers: req.MCPServers,
		Editor:     &editorFiles{peers: s.peers},
		About:      s.peers.client.about,
		System:     s.setup.system,
		Recall:     s.memory.recall,
		Log:        s.peers.log,
	}
}

// newID returns an id that no other session has, in this process or another. It
// is not a secret: a client that can name a session already acts for the user.
// It is short, because every line of a session repeats it.
func newID() string { return "tw-" + strconv.FormatUint(rand.Uint64(), 36) }

// session returns the session with an id. The lock is not held on return.
func (c *source) session(id string) (*session, error) {
	if id == "" {
		return nil, missing("sessionId")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.sessions[id]
	if !ok {
		return nil, protocol.Errorf(protocol.CodeNotFound, "there is no session %q", id).With("sessionId", id)
	}
	return s, nil
}

func (c *source) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, id)
}

// closeSession removes the session from the table at once, and answers when the
// session has ended.
func (c *source) closeSession(call *core.Call) error {
	var req v1.CloseSessionRequest
	if err := call.Decode(&req); err != nil {
		return err
	}
	s, err := c.session(req.SessionID)
	if err != nil {
		return err
	}
	c.forget(req.SessionID)
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
	s, err := c.session(n.SessionID)
	if err != nil {
		return err
	}
	s.queue.cancel()
	return nil
}

// newRecorder returns the recorder of a new session, or nil if none is kept.
func (c *source) newRecorder(id string, req v1.NewSessionRequest) *journal.Recorder {
	if c.journal == nil {
		return nil
	}
	h := journal.Header{ID: id, Agent: c.key, Cwd: req.Cwd, Roots: req.AdditionalDirectories}
	return journal.NewRecorder(func() (journal.Journal, error) { return c.journal.Create(h) }, c.recorders.Add)
}
