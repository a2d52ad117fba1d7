package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/toolview"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/protocol"
)

// endBudget bounds the shutdown after EOF: answering the running prompts, then
// ending all agents while the last lines are written. Together with closing the
// stream it takes less than the two seconds that an editor may wait.
const endBudget = 1700 * time.Millisecond

// answersFirst is how much of endBudget agents wait to be closed while the running
// prompts are answered.
const answersFirst = 800 * time.Millisecond

// Config configures a bridge.
type Config struct {
	Agent agent.Agent
	// Name and Version are told to the editor as agentInfo. Absent they are
	// "turnwire" and the version of the agent.
	Name, Version string
	In            io.Reader
	Out           io.WriteCloser
	// CloseIn ends a read of In that is in progress; it may be nil.
	CloseIn func() error
	Log     *slog.Logger // nil logs nothing
	// Tools are the user's descriptions of tools, which override all others.
	Tools toolview.Table
	// MaxSessions bounds the open sessions; 0 means [DefaultMaxSessions].
	MaxSessions int
	// Journal keeps the sessions; nil keeps none.
	Journal journal.Store
	// Key names the agent there: a session is listed for the agent that has it.
	Key string
	// Judge decides requests for permission before the user is asked; nil decides
	// none.
	Judge consent.Judge
	// Audit is told what became of each request for permission; it may be nil. It
	// must not block, and be safe for concurrent use.
	Audit func(consent.Decision)
	// FrontEnd is where the user answers. Without a name it has that of the editor.
	FrontEnd consent.FrontEnd
	// Hub says that the editor is a hub of several: it says who has answered.
	Hub bool
	// Prepare lets initialize start an agent of which nobody knows yet what it
	// takes; see [agent.Preparer].
	Prepare bool
	// Join allows text deltas to be joined that arrive together, or while the
	// editor is slow.
	Join bool
}

// turnwire is the name of a bridge that has none.
const turnwire = "turnwire"

// DefaultMaxSessions is far more than an editor opens. Each session has a
// process, or a conversation with a server.
const DefaultMaxSessions = 1024

// maxStarting bounds the agents that are being started at once.
const maxStarting = 4

// Serve serves an agent to an editor that writes to in and reads from out: those
// are os.Stdin and os.Stdout in a program that an editor launches. Both are
// closed at the end where they can be. Nothing is logged or kept; [Config.Serve]
// has the choices.
func Serve(ctx context.Context, in io.Reader, out io.Writer, a agent.Agent) error {
	cfg := Config{Agent: a, Name: a.Info().Name, In: in, Out: nopCloser{out}, Join: true}
	if c, ok := out.(io.WriteCloser); ok {
		cfg.Out = c
	}
	if c, ok := in.(io.Closer); ok {
		cfg.CloseIn = c.Close
	}
	return cfg.Serve(ctx)
}

// nopCloser is an output that need not be closed.
type nopCloser struct{ io.Writer }

// Close does nothing.
func (nopCloser) Close() error { return nil }

// Serve speaks ACP on In and Out until the input ends, the output breaks or ctx
// ends. Then it cancels what is running, stops every agent, and returns when
// nothing is left, within two seconds. It returns an error only if reading
// failed.
func (cfg Config) Serve(ctx context.Context) error {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	stream := protocol.NewStream(cfg.In, cfg.Out, cfg.CloseIn, cfg.Log)
	stream.Join = cfg.Join
	c := newConn(cfg, stream)
	if cfg.Journal != nil {
		stream.BeforeWrite = c.recorders.Flush
	}
	stream.OnEOF = func() { c.finish() }
	rpc := stream.Connect(context.WithoutCancel(ctx), c, jsonrpc2.SetLogger(logger{cfg.Log}))
	var failed error
	select {
	case <-rpc.DisconnectNotify():
		failed = stream.ReadError()
	case <-stream.Broken():
		cfg.Log.Info("the editor does not read any more")
	case <-ctx.Done():
		cfg.Log.Info("told to stop", "cause", context.Cause(ctx))
	}
	c.finish()
	c.wait()
	if err := rpc.Close(); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		cfg.Log.Debug("closing the connection", "error", err)
	}
	if failed != nil {
		return fmt.Errorf("reading the editor: %w", failed)
	}
	return nil
}

// logger passes jsonrpc2's messages to slog.
type logger struct{ log *slog.Logger }

// Printf implements [jsonrpc2.Logger].
func (l logger) Printf(format string, v ...any) {
	l.log.Debug("jsonrpc2", "format", format, "values", v)
}

// conn is one connection with an editor.
type conn struct {
	agent       agent.Agent
	tools       toolview.Table
	name        string // and version: for agentInfo
	version     string
	stream      *protocol.Stream
	log         *slog.Logger
	work        sync.WaitGroup // goroutines of requests
	ctx         context.Context
	cancel      context.CancelFunc
	calls       caller
	maxSessions int // sessions at once
	journal     journal.Store
	key         string // of the agent in the journal
	recorders   journal.Recorders
	judge       consent.Judge
	audit       func(consent.Decision)
	frontEnd    consent.FrontEnd
	hub         bool
	prepare     bool          // agent is a Preparer, and to be prepared
	starting    chan struct{} // holds those whose agent is being started

	mu          sync.Mutex
	client      *client         // nil before initialize
	begun       bool            // a session was opened
	initialized <-chan struct{} // closed when the last initialize is answered
	sessions    map[string]*session
	open        int                    // sessions, including those that are being opened or closed
	inFlight    map[jsonrpc2.ID]func() // cancels the request
	unanswered  int                    // requests whose answer is not in the stream yet
	idle        sync.Cond              // signals that entered is 0
	ending      bool
	deadline    time.Time      // of the end, after it has begun
	closing     sync.WaitGroup // sessions that are being closed at the end
	finished    sync.Once
	expire      context.CancelFunc
}

func newConn(cfg Config, stream *protocol.Stream) *conn {
	ctx, cancel := context.WithCancel(context.Background())
	c := &conn{
		agent:       cfg.Agent,
		tools:       toolview.Common.With(cfg.Tools),
		name:        cmp.Or(cfg.Name, turnwire),
		version:     cmp.Or(cfg.Version, cfg.Agent.Info().Version, "0"),
		journal:     cfg.Journal,
		key:         cfg.Key,
		judge:       cfg.Judge,
		audit:       cfg.Audit,
		frontEnd:    cfg.FrontEnd,
		hub:         cfg.Hub,
		stream:      stream,
		log:         cfg.Log,
		maxSessions: cmp.Or(cfg.MaxSessions, DefaultMaxSessions),
		ctx:         ctx,
		cancel:      cancel,
		sessions:    make(map[string]*session),
		starting:    make(chan struct{}, maxStarting),
		inFlight:    make(map[jsonrpc2.ID]func()),
	}
	_, preparer := cfg.Agent.(agent.Preparer)
	c.prepare = cfg.Prepare && preparer
	c.idle.L = &c.mu
	return c
}

// finish ends everything that is running, answers every request, closes the
// sessions and waits until the answers are written. No further request is
// accepted. Only the first call has an effect; see endBudget.
func (c *conn) finish() { c.finished.Do(c.end) }

func (c *conn) end() {
	ctx, sessions, cancels := c.beginEnd()
	// From now on nothing waits for room, not even for a slow editor.
	c.stream.End()
	for _, cancel := range cancels { // first: their answer is that they were cancelled
		cancel()
	}
	for _, s := range sessions {
		s.stop()
	}
	c.cancel()
	// Answers come first: an agent that is closed is read to its end, and many
	// that print without pause would take the processor from the other sessions.
	soon, stop := context.WithTimeout(ctx, answersFirst)
	defer stop()
	c.awaitAnswers(soon)
	for _, s := range sessions {
		c.closing.Go(func() { s.close(ctx) })
	}
	if c.prepare {
		c.closing.Go(func() { c.agent.(agent.Preparer).Dismiss(ctx) })
	}
	c.awaitAnswers(ctx)
	c.stream.Drain(time.Until(c.deadline))
}

// isEnding reports whether the end has begun.
func (c *conn) isEnding() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ending
}

// beginEnd marks the connection as ending, and returns all sessions and the
// functions that cancel the requests.
func (c *conn) beginEnd() (ctx context.Context, sessions []*session, cancels []func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ending = true
	c.deadline = time.Now().Add(endBudget)
	for _, cancel := range c.inFlight {
		cancels = append(cancels, cancel)
	}
	sessions = slices.Collect(maps.Values(c.sessions))
	clear(c.sessions)
	ctx, c.expire = context.WithDeadline(context.Background(), c.deadline)
	return ctx, sessions, cancels
}

// awaitAnswers waits until every request is answered or ctx ends.
func (c *conn) awaitAnswers(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.idle.Broadcast()
	})()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.unanswered > 0 && ctx.Err() == nil {
		c.idle.Wait()
	}
}

// wait waits until every goroutine has ended, within the budget.
func (c *conn) wait() {
	defer c.expire()
	done := make(chan struct{})
	go func() {
		c.closing.Wait()
		c.work.Wait()
		close(done)
	}()
	timer := time.NewTimer(time.Until(c.deadline))
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		c.log.Warn("not everything ended in time")
	}
}
