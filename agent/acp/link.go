package acp

import (
	"context"
	"log/slog"
	"sync"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/agent/transport/child"
)

// A link is the life of one child. One goroutine reads what the child says: it
// answers what the child asks, and gives the running turn the lines that the
// person is to see something of, in their order.
type link struct {
	config   Config
	options  agent.Options
	log      *slog.Logger
	child    *child.Child
	out      *outbox
	requests *requests // of ours
	asks     *asks     // of the agent's, that the person is to answer
	files    *files
	decoder  *decoder // of the running turn

	ctx  context.Context // ends with the link
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
	feed    *feed // of the running turn
	last    int64 // the id of the last prompt
	busy    bool  // it was not answered yet
	kept    kept  // what was said about the session between turns
}

// start starts the child and the handshake with it. news is called when there
// is something to tell outside of turns; see [link.told].
func start(c Config, o agent.Options, news func()) (*link, error) {
	ch, err := child.Start(child.Spec{Args: c.Args, Dir: o.Cwd, Env: c.Env, Stdin: true, Log: o.Log})
	if err != nil {
		return nil, err
	}
	l := &link{
		config:   c,
		options:  o,
		log:      o.Log,
		child:    ch,
		out:      newOutbox(),
		requests: newRequests(),
		asks:     newAsks(),
		files:    newFiles(o),
		news:     news,
		decoder:  newDecoder(c.Repairs),
		ready:    make(chan struct{}),
		gone:     make(chan struct{}),
	}
	l.decoder.ask, l.decoder.unasked = l.asks.name, l.unasked
	l.ctx, l.stop = context.WithCancel(context.Background())
	l.work.Go(l.read)
	l.work.Go(func() {
		if err := l.out.writeTo(ch.Stdin()); err != nil {
			l.log.Debug("the agent's stdin is closed", "error", err)
			ch.Kill() // it can be told nothing more
		}
	})
	l.work.Go(l.shake)
	return l, nil
}

// read reads the child to its end, and says how that came.
func (l *link) read() {
	defer close(l.gone)
	err := dialect.Each(context.Background(), l.child.Stdout(), sorter{l}, l.log, func(b agent.Batch) bool {
		for range b.Events() { // the sorter has taken the lines; there are no events
		}
		b.Release()
		if f := l.current(); f != nil {
			f.flush()
		}
		return true
	})
	if err != nil {
		l.log.Warn("cannot read from the agent", "error", err)
	}
	status := l.child.Stop(l.ctx)
	exit := l.exited(status)
	l.requests.fail(exit)
	l.stop()
	l.out.close()
	l.asks.clear()
	if f := l.finish(exit); f != nil {
		f.end(exit)
	}
	l.child.Close()
}

// sorter is the decoder by which a link reads lines.
type sorter struct{ link *link }

// Decode implements [dialect.Decoder].
func (s sorter) Decode(line []byte, _ func(agent.Event) bool) error { return s.link.take(line) }

// Refuse implements [dialect.Refuser].
func (s sorter) Refuse(line []byte, cause error) agent.Event {
	s.link.unread(line, cause)
	return nil
}

// usable tells whether the child can be given a prompt.
func (l *link) usable() bool {
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

// told is what the agent has said about the session between two turns. No turn
// may begin meanwhile, for it has the same decoder.
func (l *link) told() []agent.Event {
	l.mu.Lock()
	var lines [][]byte
	if l.feed == nil {
		lines = l.kept.take()
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
func (l *link) prompting(id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last, l.busy = id, true
}

func (l *link) current() *feed {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.feed
}

// open begins a turn whose prompt has an id, and that can be cancelled. It starts with what was said
// about the session since the last. The error is that of a child which has
// ended meanwhile, and so would never end the turn.
func (l *link) open(id int64, cancelled <-chan struct{}) (*feed, error) {
	f := newFeed(id)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over != nil {
		return nil, l.over
	}
	for _, line := range l.kept.take() {
		f.pending = append(append(f.pending, line...), '\n')
	}
	l.feed = f
	l.asks.accept(cancelled)
	return f, nil
}

// finish notes how the child ended, and takes away the feed of the turn that
// ends with it.
func (l *link) finish(exit error) *feed {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.feed
	l.feed, l.over = nil, exit
	return f
}

// shut ends a turn. An agent that has not answered is told that nobody waits.
func (l *link) shut(ctx context.Context, f *feed) {
	l.mu.Lock()
	if l.feed == f {
		l.feed = nil
	}
	unanswered := l.busy
	l.mu.Unlock()
	f.abandon()
	l.refuse()
	if unanswered && ctx.Err() != nil {
		l.notify(methodCancelRequest, cancelRequest{f.prompt})
	}
}

// kill ends the link at once.
func (l *link) kill() {
	l.stop()
	l.child.Kill()
	l.close(l.ctx)
}

// close ends the link and waits until nothing of it is left.
func (l *link) close(ctx context.Context) {
	l.child.Stop(ctx)
	l.stop()
	l.work.Wait()
}
