package bridge_test

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/test/limits"
)

const patience = limits.Patience

// A puppet is an agent whose sessions are controlled by the test.
type puppet struct {
	info     agent.Info
	fails    error // returned by Open and Prompt
	offers   []agent.Option
	sessions chan *puppetSession
	greets   bool // its sessions introduce themselves
}

func newPuppet() *puppet { return &puppet{sessions: make(chan *puppetSession, 1024)} }

// Info implements [agent.Agent].
func (p *puppet) Info() agent.Info { return p.info }

// Open implements [agent.Agent].
func (p *puppet) Open(_ context.Context, o agent.Options) (agent.Session, error) {
	if p.fails != nil {
		return nil, p.fails
	}
	s := &puppetSession{
		options: o,
		offers:  p.offers,
		events:  make(chan agent.Batch),
		told:    make(chan struct{}, 1),
		closing: make(chan struct{}),
		greeted: make(chan struct{}),
	}
	p.sessions <- s
	if p.greets {
		return &greeter{s, make(chan struct{})}, nil
	}
	return s, nil
}

// A greeter is a session that counts as introduced once the test closes greeted.
type greeter struct {
	*puppetSession
	introduced chan struct{}
}

// Introduced implements [agent.Introducer].
func (g *greeter) Introduced() <-chan struct{} {
	go func() {
		<-g.greeted
		close(g.introduced)
	}()
	return g.introduced
}

// session waits for the next session that the editor opens.
func (p *puppet) session(t *testing.T) *puppetSession {
	t.Helper()
	s := <-p.sessions
	s.t = t
	return s
}

// puppetSession is one session of a puppet.
type puppetSession struct {
	t       *testing.T
	options agent.Options
	offers  []agent.Option
	events  chan agent.Batch
	closing chan struct{}
	greeted chan struct{} // closed by the test of a greeter
	held    chan struct{} // if not nil, Prompt returns when it is closed
	once    sync.Once
	sending sync.RWMutex

	mu       sync.Mutex
	fails    error
	commands []any
	told     chan struct{}
}

// abandoned is the command that Abandon records.
type abandoned struct {
	Type   string `json:"type"`
	TurnID string `json:"turnId"`
}

func (s *puppetSession) notify(command any) {
	s.mu.Lock()
	s.commands = append(s.commands, command)
	s.mu.Unlock()
	select {
	case s.told <- struct{}{}:
	default:
	}
}

// Events implements [agent.Session].
func (s *puppetSession) Events() <-chan agent.Batch { return s.events }

// Prompt implements [agent.Session].
func (s *puppetSession) Prompt(p agent.Prompt) error {
	s.mu.Lock()
	err := s.fails
	s.mu.Unlock()
	if err == nil {
		s.notify(p)
	}
	if s.held != nil {
		<-s.held
	}
	return err
}

// Options implements [agent.Session].
func (s *puppetSession) Options() []agent.Option { return s.offers }

// Respond implements [agent.EditorUser].
func (s *puppetSession) Respond(r agent.EditorResponse) { s.notify(r) }

// Configure implements [agent.Session].
func (s *puppetSession) Configure(o agent.SetOption) error {
	s.mu.Lock()
	err := s.fails
	s.mu.Unlock()
	if err == nil {
		s.notify(o)
	}
	return err
}

// Confirm implements [agent.Session].
func (s *puppetSession) Confirm(r agent.ConfirmationResponse) { s.notify(r) }

// Answer implements [agent.Session].
func (s *puppetSession) Answer(r agent.QuestionResponse) { s.notify(r) }

// Cancel implements [agent.Session].
func (s *puppetSession) Cancel(c agent.Cancel) { s.notify(c) }

// Abandon implements [agent.Session].
func (s *puppetSession) Abandon(turnID string) { s.notify(abandoned{"abandon", turnID}) }

// Close implements [agent.Session].
func (s *puppetSession) Close(context.Context) error {
	s.once.Do(func() {
		close(s.closing)
		s.sending.Lock()
		defer s.sending.Unlock()
		close(s.events)
	})
	return nil
}

// send sends a batch. It returns false if the session is closed.
func (s *puppetSession) send(b agent.Batch) bool {
	s.sending.RLock()
	defer s.sending.RUnlock()
	select {
	case <-s.closing:
		return false
	default:
	}
	select {
	case s.events <- b:
		return true
	case <-s.closing:
		return false
	}
}

// say sends lines in the native dialect as one batch.
func (s *puppetSession) say(lines ...string) bool { return s.send(lineBatch(lines)) }

// lineBatch is a batch of lines in the native dialect.
type lineBatch []string

// Events implements [agent.Batch].
func (l lineBatch) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		text := strings.NewReader(strings.Join(l, "\n"))
		_ = dialect.Read(text, native.Dialect.NewDecoder(), slog.New(slog.DiscardHandler), yield)
	}
}

// Release implements [agent.Batch].
func (lineBatch) Release() {}

// command waits for the next command and returns its JSON.
func (s *puppetSession) command() string {
	c, err := s.await()
	require.NoError(s.t, err)
	return string(agent.AppendCommand(nil, c))
}

func (s *puppetSession) await() (any, error) {
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	for {
		s.mu.Lock()
		if len(s.commands) > 0 {
			c := s.commands[0]
			s.commands = s.commands[1:]
			s.mu.Unlock()
			return c, nil
		}
		s.mu.Unlock()
		select {
		case <-s.told:
		case <-s.closing:
			return nil, io.EOF
		case <-timeout.C:
			return nil, context.DeadlineExceeded
		}
	}
}

// expect waits for the next command, and requires it to have these members.
func (s *puppetSession) expect(want string) {
	s.t.Helper()
	got := s.command()
	var wanted, found map[string]any
	require.NoError(s.t, json.Unmarshal([]byte(want), &wanted))
	require.NoError(s.t, json.Unmarshal([]byte(got), &found))
	for key, value := range wanted {
		require.Equal(s.t, value, found[key], "%s of %s", key, got)
	}
}
