package events

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/protocol"
)

// maxStarting bounds the agents that start at the same time.
const maxStarting = 4

// An opener opens new and saved sessions of a source. It is safe for concurrent use.
type opener struct {
	cfg       Config
	view      core.View
	ctx       context.Context // done when the source is stopped
	work      *sync.WaitGroup // the source's goroutines
	handshake *handshake
	sessions  *registry
	recorders *journal.Recorders
	storing   *journal.Work
	starting  chan struct{} // a semaphore: one element per starting agent
}

// answer opens a session in the background and answers call with the outcome. The
// session's goroutine starts once the response is in the stream, so the first update
// follows the response: editors drop updates of unknown sessions. If opening fails,
// nothing remains of the session. closes is set if opening first closes the same session.
func (o *opener) answer(call *core.Call, closes bool, opening func(ctx context.Context) (*session, error), answer func(s *session) any) error {
	if err := o.sessions.reserve(); err != nil {
		return err
	}
	fail := func(err error) {
		if closes {
			err = &core.ClosedError{Err: err}
		}
		call.Fail(err)
	}
	ctx, cancel := context.WithCancel(o.ctx)
	call.OnCancel(cancel)
	o.work.Go(func() {
		defer cancel()
		opened := make(chan *session, 1)
		failed := make(chan error, 1)
		o.work.Go(func() {
			o.handshake.await(ctx)
			s, err := opening(ctx)
			if err != nil {
				if s != nil {
					s.record.close()
				}
				o.sessions.release()
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
			fail(named(err))
		case <-ctx.Done(): // the agent may take long to start
			fail(context.Canceled)
			select {
			case s := <-opened:
				o.abandon(s)
			case err := <-failed:
				o.cfg.Log.Debug("an abandoned session could not be opened", "error", err)
			}
		}
	})
	return nil
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

// abandon closes a session that the editor never learned about.
func (o *opener) abandon(s *session) {
	defer close(s.loop.done) // its goroutine never starts
	o.sessions.forget(s.peers.id)
	o.sessions.release()
	s.record.close()
	ctx, cancel := context.WithTimeout(context.Background(), closeGrace)
	defer cancel()
	s.peers.closeAgent(ctx)
}

// create opens a new session.
func (o *opener) create(ctx context.Context, req v1.NewSessionRequest) (*session, error) {
	h := o.header(req)
	var recorder *journal.Recorder // nil if the session is not saved
	if store := o.cfg.Journal; store != nil {
		recorder = journal.NewRecorder(func() (journal.Journal, error) { return store.Create(h) }, o.recorders.Add)
	}
	s := o.session(h.ID, req, recorder)
	return s, o.start(ctx, s, req)
}

// header returns the header of a new session.
func (o *opener) header(req v1.NewSessionRequest) journal.Header {
	return journal.Header{ID: newID(), Agent: o.cfg.Key, Cwd: req.Cwd, Roots: req.AdditionalDirectories}
}

// newID returns an id that is unique across processes. It is not a secret: a client
// that can name a session already acts for the user. It is short, because every line of
// a session repeats it.
func newID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return "tw-" + strconv.FormatUint(binary.BigEndian.Uint64(b[:]), 36)
}

// resume opens a saved session from its journal. It replays the records to restore the
// session's state, and shows them if shown is set.
func (o *opener) resume(ctx context.Context, j journal.Journal, req v1.NewSessionRequest, shown bool) (*session, error) {
	s := o.session(j.Header().ID, req, journal.Continue(j, o.recorders.Add))
	p := newReplay(s, o.cfg.Journal, shown)
	if err := p.run(ctx); err != nil {
		return s, err
	}
	if err := o.start(ctx, s, req); err != nil {
		return s, err
	}
	s.memory.reopen(o.cfg.Agent.Info())
	s.choices.restore(p.chosen)
	return s, nil
}

// start makes the agent open a session, and adds it to the registry.
func (o *opener) start(ctx context.Context, s *session, req v1.NewSessionRequest) error {
	if err := s.setup.fill(&req, o.cfg.Agent.Info().Takes()); err != nil {
		return err
	}
	// Starting an agent occupies a processor until its program runs. The limit lets
	// others be answered while many agents start, above all cancels and the shutdown.
	select {
	case o.starting <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	err := ctx.Err() // both cases may have been ready
	if err == nil {
		s.peers.agent, err = o.cfg.Agent.Open(ctx, s.agentOptions(req))
	}
	<-o.starting
	if err != nil {
		return err
	}
	s.setup.start(o.cfg.Agent.Info().Takes())
	s.announce(ctx)
	if err := s.setup.check(); err != nil {
		o.work.Go(func() { _ = s.peers.agent.Close(context.WithoutCancel(ctx)) })
		return err
	}
	if !o.sessions.add(ctx, s) {
		// The editor does not know the session, so it would never close it.
		o.work.Go(func() { _ = s.peers.agent.Close(o.ctx) })
		return context.Canceled
	}
	return nil
}

// session builds a session whose agent is not open yet.
func (o *opener) session(id string, req v1.NewSessionRequest, recorder *journal.Recorder) *session {
	cl := o.handshake.current()
	s := &session{
		sessions: o.sessions,
		peers:    &peers{id: id, cwd: req.Cwd, client: cl, view: o.view, log: o.cfg.Log.With("session", id)},
		loop:     newLoop(),
	}
	if recorder != nil {
		s.record = &record{recorder: recorder, work: o.storing, id: id, log: s.peers.log, isEnding: o.sessions.isEnding}
	}
	s.setup.steers = o.handshake.offers()
	s.cursors = newCursors(cl.cursors && recorder != nil, o.cfg.Agent.Info().Rewind)
	s.turn = &turn{log: s.peers.log}
	s.queue = &queue{peers: s.peers, loop: s.loop, record: s.record}
	s.choices = &choices{peers: s.peers, loop: s.loop, queue: s.queue, record: s.record}
	s.out = &output{peers: s.peers, turn: s.turn, children: newChildren(id, cl.shows.Subagents)}
	normalizer := normalize.New(req.Cwd, o.cfg.Tools)
	parts := &parts{
		life: o.ctx, turn: s.turn, local: o.cfg.Agent.Info().Local,
		files: agent.Options{Cwd: filepath.Clean(req.Cwd), Roots: req.AdditionalDirectories, Editor: s.peers.files()},
	}
	s.pending = newAsks(s, normalizer, rules{judge: o.cfg.Judge, audit: o.cfg.Audit, key: o.cfg.Key}, parts)
	snapshots := newSnapshots(o.ctx, s.peers, s.loop, s.queue, s.turn, req.AdditionalDirectories)
	s.stream = newStream(normalizer, snapshots, s.pending.editorRequests.ownTerminal, s.show)
	parts.stream = s.stream
	s.hints = hints{turn: s.turn, tell: s.stream.notice}
	return s
}

// agentOptions returns the options to open the session's agent with.
func (s *session) agentOptions(req v1.NewSessionRequest) agent.Options {
	return agent.Options{
		SessionID:  s.peers.id,
		Cwd:        filepath.Clean(req.Cwd),
		Roots:      req.AdditionalDirectories,
		MCPServers: req.MCPServers,
		Editor:     s.peers.files(),
		About:      s.peers.client.about,
		System:     s.setup.system,
		Recall:     s.memory.recall,
		Log:        s.peers.log,
	}
}
