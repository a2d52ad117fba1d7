package check

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
)

// serverRules are the rules for AG-UI servers. The rules about lines apply too.
var serverRules = []lint.Rule{
	{ID: "server-failed", Severity: lint.Error, Means: "A turn failed, or the server could not be reached.", Cure: "The message says what to do.", See: "agui.md#when-something-is-wrong"},
}

// lineRules are the rules that apply to a server's single events. Their order is the
// driver's business, because a turn may have several runs.
var lineRules = []string{"not-json", "bad-json", "json-array", "not-an-object", "no-type", "too-long", "not-utf8", "unknown-event", "malformed-event"}

// A Wire is the raw lines of a server's streams. It is safe for concurrent use.
type Wire struct {
	mu    sync.Mutex
	lines [][]byte
}

// Tap adds a line.
func (w *Wire) Tap(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, slices.Clone(line))
}

func (w *Wire) drain() [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := w.lines
	w.lines = nil
	return lines
}

// Server runs a server's agent through the script, and returns how many events its
// streams had. raw receives the lines of these streams.
func Server(ctx context.Context, a agent.Agent, raw *Wire, o Options) (lines int, err error) {
	native, spoken := o.Language, o.Language.Dialect
	for _, d := range o.Language.Others {
		if native.Native(d.Name) {
			native.Dialect = d
		}
	}
	native.Others = nil
	r := &runner{Options: o, session: "check", lines: make(chan []byte)}
	r.Language = native
	r.linter = r.newLinter()
	failed := false
	r.linter.Event = func(e agent.Event) {
		r.event(e)
		if f, ok := e.(*agent.Error); ok && (f.Fatal == nil || *f.Fatal) {
			failed = true
			r.Tell(serverRule(f.Error))
		}
	}
	wire := lint.NewLinter(spoken.NewDecoder(), func() bool { return false }, spoken.Types, func(f lint.Finding) {
		if slices.Contains(lineRules, f.Rule) {
			o.Tell(f)
		}
	})
	s, err := a.Open(ctx, agent.Options{SessionID: fmt.Sprintf("check-%d", time.Now().UnixNano()), Cwd: o.Dir})
	if err != nil {
		return 0, err
	}
	r.deliver = func(command any) { deliver(s, command) }
	stop, read := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(read)
		pump(s, r.lines, stop)
	}()
	defer func() {
		close(stop)
		_ = s.Close(context.WithoutCancel(ctx)) // its result is of no interest
		<-read
	}()
	turn := func(what string, b behaviour) bool {
		r.step(what)
		ended := r.turn(ctx, b)
		for _, line := range raw.drain() {
			wire.Line(line)
		}
		return ended && !failed
	}
	if turn("a prompt", behaviour{allow: true}) {
		last := "another prompt"
		if r.confirmations > 0 {
			last = "a prompt with permissions refused"
		}
		asked := r.opportunities()
		_ = turn("a prompt that is cancelled", behaviour{allow: true, cancel: true, atRequest: asked}) && turn(last, behaviour{})
	}
	if err := ctx.Err(); err != nil {
		return wire.Lines(), fmt.Errorf("the check was stopped: %w", err)
	}
	return wire.Lines(), nil
}

func serverRule(message string) lint.Finding {
	f := lint.New("server-failed", message)
	f.Help = serverRules[0].Cure
	return f
}

// pump writes a session's events in the native dialect until the session ends. Once over
// is closed, it discards them.
func pump(s agent.Session, to chan<- []byte, stop <-chan struct{}) {
	for b := range s.Events() {
		for e := range b.Events() {
			select {
			case to <- agent.AppendJSON(nil, e):
			case <-stop:
			}
		}
		b.Release()
	}
}

// deliver passes a command to a session.
func deliver(s agent.Session, command any) {
	switch c := command.(type) {
	case agent.Prompt:
		_ = s.Prompt(c) // it fails only if the session is closed
	case agent.ConfirmationResponse:
		s.Confirm(c)
	case agent.QuestionResponse:
		s.Answer(c)
	case agent.Cancel:
		s.Cancel(c)
	}
}
