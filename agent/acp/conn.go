package acp

import (
	"context"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/agent/transport/link"
)

// A conn is the life of one child, or of one connection with a server. One goroutine reads what the child says: it
// answers what the child asks, and gives the running turn the lines that the
// person is to see something of, in their order.
type conn struct {
	config  Config
	options agent.Options
	log     *slog.Logger
	link    link.Link
	rpc     *jsonrpc.Conn
	asks    *asks // of the agent's, that the user is to answer
	files   *files
	decoder *decoder // of the running turn

	ctx  context.Context // ends with the connection
	stop context.CancelFunc
	work sync.WaitGroup

	ready  chan struct{} // closed when the next three are known
	failed error         // why it is of no use
	able   abilities
	auth   []authMethod

	gone chan struct{} // closed when the child has ended and was read to its end

	news   func() // something is kept
	prefix []byte // what updates begin with; for the reader alone

	mu      sync.Mutex
	over    error // how the child ended; no turn begins after it
	session string
	feed    *jsonrpc.Feed // of the running turn
	last    int64         // the id of the last prompt
	busy    bool          // it was not answered yet
	pending pending       // what was said about the session between turns
}

// start starts the child and the handshake with it. news is called when there
// is something to tell outside of turns; see [conn.pendingEvents].
func start(c Config, o agent.Options, news func()) (*conn, error) {
	ch, err := link.Start(link.Spec{Args: c.Args, Dir: o.Cwd, Env: c.Env, URL: c.URL, Header: c.Header, Log: o.Log})
	if err != nil {
		return nil, err
	}
	l := &conn{
		config:  c,
		options: o,
		log:     o.Log,
		link:    ch,
		rpc:     jsonrpc.New(o.Log, ch.Kill),
		asks:    newAsks(),
		files:   newFiles(o),
		news:    news,
		decoder: newDecoder(c.Repairs),
		ready:   make(chan struct{}),
		gone:    make(chan struct{}),
	}
	l.decoder.ask, l.decoder.unasked = l.asks.name, l.unasked
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.work.Go(l.read)
	l.work.Go(func() {
		if err := l.rpc.Write(ch.Stdin()); err != nil {
			l.log.Debug("the agent takes nothing more", "error", err)
			ch.Kill() // it can be told nothing more
		}
	})
	l.work.Go(l.handshake)
	return l, nil
}

// read reads the child to its end, and says how that came.
func (l *conn) read() {
	defer close(l.gone)
	err := l.rpc.Read(l.link.Stdout(), l)
	if err != nil {
		l.log.Warn("cannot read from the agent", "error", err)
	}
	l.link.Stop(l.ctx)
	exit := l.exited()
	l.rpc.Close(exit)
	l.stop()
	l.asks.clear()
	if f := l.finish(exit); f != nil {
		f.End(exit)
	}
	l.link.Close()
}

// Flush implements [jsonrpc.Handler].
func (l *conn) Flush() {
	if f := l.current(); f != nil {
		f.Flush()
	}
}

// usable reports whether the child can be given a prompt.
func (l *conn) usable() bool {
	select {
	case <-l.gone:
		return false
	case <-l.ready:
		if l.failed != nil {
			return false
		}
	default:
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.busy
}

// pendingEvents is what the agent has said about the session between two turns. No turn
// may begin meanwhile, for it has the same decoder.
func (l *conn) pendingEvents() []agent.Event {
	l.mu.Lock()
	var lines [][]byte
	if l.feed == nil {
		lines = l.pending.take()
	}
	l.mu.Unlock()
	var out []agent.Event
	for _, line := range lines {
		dialect.Decode(l.decoder, l.log, line, func(e agent.Event) bool {
			out = append(out, e)
			return true
		})
	}
	return out
}

// prompting notes that a prompt is on its way.
func (l *conn) prompting(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.busy = id, true
}

func (l *conn) current() *jsonrpc.Feed {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.feed
}

// open begins a turn whose prompt has an id, and that can be cancelled. It starts with what was said
// about the session since the last. The error is that of a child which has
// ended meanwhile, and so would never end the turn.
func (l *conn) open(id int64, cancelled <-chan struct{}) (*jsonrpc.Feed, error) {
	f := jsonrpc.NewFeed(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over != nil {
		return nil, l.over
	}
	for _, line := range l.pending.take() {
		f.Add(line)
	}
	l.feed = f
	l.asks.accept(cancelled)
	return f, nil
}

// finish notes how the child ended, and takes away the feed of the turn that
// ends with it.
func (l *conn) finish(exit error) *jsonrpc.Feed {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.feed
	l.feed, l.over = nil, exit
	return f
}

// shut ends a turn. An agent that has not answered is told that nobody waits.
func (l *conn) shut(ctx context.Context, f *jsonrpc.Feed) {
	l.mu.Lock()
	if l.feed == f {
		l.feed = nil
	}
	unanswered := l.busy
	l.mu.Unlock()
	f.Abandon()
	l.refuse()
	if unanswered && ctx.Err() != nil {
		l.rpc.Notify(methodCancelRequest, cancelRequest{f.Request})
	}
}

// kill ends the connection at once.
func (l *conn) kill() {
	l.stop()
	l.link.Kill()
	l.close(l.ctx)
}

// close ends the connection and waits until nothing of it is left.
func (l *conn) close(ctx context.Context) {
	l.link.Stop(ctx)
	l.stop()
	l.work.Wait()
}

// cancelRequest is `CancelRequestNotification` for one of our requests.
type cancelRequest struct {
	RequestID int64 `json:"requestId"`
}
