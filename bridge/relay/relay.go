package relay

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent/transport/link"
	"github.com/turnwire/turnwire/bridge/consent"
	"github.com/turnwire/turnwire/bridge/journal"
	"github.com/turnwire/turnwire/protocol"
)

const (
	// endBudget bounds the end, from the end of the input until nothing is left.
	// An editor may wait two seconds.
	endBudget = 1700 * time.Millisecond
	// defaultStartTimeout is long because some agents are fetched first.
	defaultStartTimeout = time.Minute
	defaultCancelGrace  = 3 * time.Second
	defaultMaxSessions  = 1024
	// initializeWait is how long "initialize" waits for the agent.
	initializeWait = 3 * time.Second
)

// Config configures a relay.
type Config struct {
	Name    string      // what users call the agent
	Args    []string    // its command
	Env     []string    // its whole environment; nil means that of this process
	URL     string      // where it is, in place of a command
	Header  http.Header // what is sent there
	Version string      // of Turnwire
	In      io.Reader
	Out     io.WriteCloser
	// CloseIn ends a read of In that is in progress; it may be nil.
	CloseIn func() error
	Log     *slog.Logger
	// Start connects with the agent; nil means [link.Start].
	Start func(link.Spec) (link.Link, error)
	// StartTimeout is how long the agent may take to answer "initialize"; 0
	// means a minute.
	StartTimeout time.Duration
	// CancelGrace is how long the agent may take to end a cancelled turn before
	// the prompt is answered in its place; 0 means three seconds.
	CancelGrace time.Duration
	// IdleTimeout is how long the agent may say nothing while a prompt waits for
	// it, and it for nobody; 0 means any time.
	IdleTimeout time.Duration
	// MaxSessions bounds the open sessions; 0 means 1024.
	MaxSessions int
	// Login is put before the arguments of terminal logins; see withLogin.
	Login []string
	// Journal keeps the sessions; nil keeps none.
	Journal journal.Store
	// Key names the agent there.
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
	// Cache is the folder that keeps what agents have answered to "initialize";
	// "" keeps nothing.
	Cache string
}

// Serve relays between the editor on In and Out and the agent, until the input
// ends, the output breaks or ctx ends. Then it answers what is open, stops the
// agent, and returns when nothing is left, within two seconds. It returns an
// error only if reading failed.
func Serve(ctx context.Context, cfg Config) error {
	cfg.StartTimeout = cmp.Or(cfg.StartTimeout, defaultStartTimeout)
	cfg.MaxSessions = cmp.Or(cfg.MaxSessions, defaultMaxSessions)
	cfg.CancelGrace = cmp.Or(cfg.CancelGrace, defaultCancelGrace)
	if cfg.Start == nil {
		cfg.Start = link.Start
	}
	r := &relay{
		cfg:      cfg,
		log:      cfg.Log,
		editor:   protocol.NewStream(cfg.In, cfg.Out, cfg.CloseIn, cfg.Log),
		requests: make(map[string]*request),
		asks:     make(map[string]*ask),
		sessions: make(map[string]*session),
		repairs:  repairs{log: cfg.Log, counts: make(map[Repair]int)},
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	if cfg.Journal != nil {
		r.editor.BeforeWrite = r.recorders.Flush
	}
	r.editor.OnEOF = r.finish
	read := make(chan error, 1)
	go func() { read <- r.editor.Messages(r.dispatch) }()
	var failed error
	select {
	case failed = <-read:
	case <-r.editor.Broken():
		cfg.Log.Info("the editor does not read any more")
	case <-ctx.Done():
		cfg.Log.Info("told to stop", "cause", context.Cause(ctx))
	}
	r.finish()
	r.wait()
	r.mu.Lock()
	for _, s := range r.sessions {
		r.closeRecord(s)
	}
	r.mu.Unlock()
	r.repairs.summary()
	if err := r.editor.Close(); err != nil {
		cfg.Log.Debug("closing the connection", "error", err)
	}
	if failed != nil {
		return fmt.Errorf("reading the editor: %w", failed)
	}
	return nil
}

// A relay is one connection with an editor.
type relay struct {
	cfg     Config
	log     *slog.Logger
	editor  *protocol.Stream
	repairs repairs
	work    sync.WaitGroup // goroutines, and processes
	ctx     context.Context
	stop    context.CancelFunc
	ended   sync.Once

	recorders journal.Recorders

	mu        sync.Mutex
	hello     []byte // the params of "initialize"; nil before
	client    string // the editor calls itself
	version   string // of the protocol, as JSON
	notices   bool   // the editor shows notices
	forks     bool   // it wants to fork sessions
	times     bool   // it wants the times of replayed updates
	up        *upstream
	requests  map[string]*request // of the editor, by their ids as JSON, until they are answered
	asks      map[string]*ask     // of the agent, by the ids that the editor knows
	lastAsk   int64
	lastOrder int
	sessions  map[string]*session // by the ids that the editor knows
	ending    bool
	deadline  time.Time
}

// mends reports whether the version of the protocol is the one whose rules are
// known here. The lock is held.
func (r *relay) mends() bool { return r.version == "1" }

// finish answers all that is open, and begins to stop the agent.
func (r *relay) finish() { r.ended.Do(r.end) }

func (r *relay) end() {
	r.mu.Lock()
	r.ending = true
	r.deadline = time.Now().Add(endBudget)
	up := r.up
	r.mu.Unlock()
	// From now on nothing waits for room, not even for a slow editor.
	r.editor.End()
	if up != nil {
		r.work.Go(func() {
			ctx, stop := context.WithDeadline(context.Background(), r.deadline)
			defer stop()
			up.link.Stop(ctx)
		})
	}
	r.mu.Lock()
	for _, s := range r.sessions {
		s.gate.Store(true)
		for _, line := range s.closeCalls() {
			r.send(line)
		}
	}
	for _, q := range inOrder(maps.Values(r.requests)) {
		if q.method == methodPrompt {
			r.reply(q, cancelledPrompt)
			continue
		}
		r.fail(q, protocol.Errorf(protocol.CodeRequestCancelled, "the connection is ending"))
	}
	r.mu.Unlock()
	r.stop()
	r.editor.Drain(time.Until(r.deadline))
}

// wait waits until every goroutine has ended, within the budget.
func (r *relay) wait() {
	done := make(chan struct{})
	go func() {
		r.work.Wait()
		close(done)
	}()
	timer := time.NewTimer(time.Until(r.deadline))
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
		r.log.Warn("not everything ended in time")
	}
}

// send sends a line that does not wait for room.
func (r *relay) send(line []byte) {
	if err := r.editor.Send(line); err != nil {
		r.log.Debug("a line could not be sent", "error", err)
	}
}

// append sends a line that waits while the editor does not read. No lock is
// held.
func (r *relay) append(line []byte) {
	if err := r.editor.AppendUnless(nil, line); err != nil {
		r.log.Debug("a line could not be sent", "error", err)
	}
}
