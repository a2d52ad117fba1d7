package notify

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// Options configure a notifier.
type Options struct {
	Config    config.Notify     // with resolved secrets
	Transport http.RoundTripper // nil for the default
	Run       Runner            // starts the desktop's command; nil for the default
	// Attach returns the command that attaches to a session in a terminal; nil if there is
	// none.
	Attach  func(session string) string
	Push    *push.Store  // the subscribed pages; nil if there is no page
	PushVia *http.Client // nil for the default
	Log     *slog.Logger
}

// A Notifier sends notifications to the configured targets. Create one with [New]. A nil
// Notifier observes nothing.
type Notifier struct {
	page    string
	attach  func(session string) string
	targets []*target
	stop    context.CancelFunc
	work    sync.WaitGroup

	mu       sync.Mutex
	watchers []*watcher
}

// New returns a notifier, or nil if there are no targets. Pages that are subscribed are a
// target, also without one of that type in the configuration. The caller must close it.
func New(o Options) *Notifier {
	targets := slices.DeleteFunc(slices.Clone(o.Config.Targets), func(t config.NotifyTarget) bool {
		return t.Type == config.NotifyPush && o.Push == nil
	})
	if o.Push != nil && !slices.ContainsFunc(targets, func(t config.NotifyTarget) bool { return t.Type == config.NotifyPush }) {
		targets = append(targets, config.NotifyTarget{Type: config.NotifyPush})
	}
	if len(targets) == 0 {
		return nil
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Run == nil {
		o.Run = run
	}
	if o.PushVia == nil {
		o.PushVia = push.NewClient()
	}
	client := newClient(o.Transport)
	ctx, stop := context.WithCancel(context.Background())
	n := &Notifier{page: o.Config.Page, attach: o.Attach, stop: func() {
		stop()
		client.CloseIdleConnections()
		o.PushVia.CloseIdleConnections()
	}}
	for i, c := range targets {
		t := newTarget(fmt.Sprintf("%s (%d)", c.Type, i+1), c, o.Log)
		switch c.Type {
		case config.NotifyDesktop:
			d := desktop{run: o.Run, system: runtime.GOOS, ctx: ctx, start: n.work.Go, open: make(chan struct{}, maxOpen), log: t.log}
			t.send = d.send
		case config.NotifyWebhook:
			t.send = webhook{client, string(c.URL), string(c.Secret)}.send
		case config.NotifyNtfy:
			t.send = ntfy{client, string(c.URL), string(c.Token)}.send
		case config.NotifyPush:
			b := &browsers{t, o.Push, o.PushVia, make(chan struct{}, maxDeliveries)}
			t.any, t.send = o.Push.Any, b.sendAll
			n.work.Go(func() { b.run(ctx, n.work.Go) })
		}
		n.targets = append(n.targets, t)
		if t.any == nil {
			n.work.Go(func() { t.run(ctx) })
		}
	}
	return n
}

// Observe returns a function that receives the events of an agent's sessions, for
// [hub.Config]. active returns the number of clients that can answer a session's
// requests; that function doesn't call it. The function is nil if n is nil.
func (n *Notifier) Observe(agent string, active func(session string) int) func(hub.Event) {
	if n == nil {
		return nil
	}
	w := &watcher{notifier: n, agent: line(agent), active: active, sessions: make(map[string]*session)}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watchers = append(n.watchers, w)
	return w.observe
}

// A Result is the outcome of a test.
type Result struct {
	Target string
	Err    error
}

// Test sends a test message to each target, once.
func (n *Notifier) Test(ctx context.Context) (all []Result) {
	for _, t := range n.targets {
		err := attempt(ctx, Message{ID: rand.Text(), Event: testEvent, Agent: "Turnwire", Time: time.Now(), Page: n.page}, t.send)
		all = append(all, Result{t.name, err})
	}
	return all
}

// Close stops the notifier. Pending notifications are dropped.
func (n *Notifier) Close() {
	if n == nil {
		return
	}
	n.mu.Lock()
	for _, w := range n.watchers {
		w.close()
	}
	n.mu.Unlock()
	n.stop()
	n.work.Wait()
}
