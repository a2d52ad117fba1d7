package tools

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
)

func TestMain(m *testing.M) {
	child.RunGuard()
	goleak.VerifyTestMain(m)
}

// A desk is a session's tools in a directory, and the turn that uses them. It collects
// the events, and answers requests at once.
type desk struct {
	t      *testing.T
	dir    string
	box    *Box
	ctx    context.Context
	cancel context.CancelFunc
	decide agent.Decision                         // "" fails the test
	before func()                                 // called before a decision, unless nil
	accept string                                 // what the user accepts of a file; "" is all that is shown
	texts  func(path string) []agent.AcceptedText // what the answer has, for the file a; may be nil
	answer agent.QuestionResponse

	mu     sync.Mutex
	events []agent.Event
}

// newDesk returns the tools of a directory that has these files.
func newDesk(t *testing.T, files map[string]string) *desk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	d := &desk{t: t, dir: dir}
	d.ctx, d.cancel = context.WithCancel(t.Context())
	for name, text := range files {
		d.write(name, text)
	}
	d.box = New(agent.Options{Cwd: dir}, Limits{})
	return d
}

func (d *desk) path(name string) string { return filepath.Join(d.dir, filepath.FromSlash(name)) }

func (d *desk) write(name, text string) {
	d.t.Helper()
	require.NoError(d.t, os.MkdirAll(filepath.Dir(d.path(name)), 0o755))
	require.NoError(d.t, os.WriteFile(d.path(name), []byte(text), 0o644))
}

// text returns the text of the file a.
func (d *desk) text() string {
	d.t.Helper()
	data, err := os.ReadFile(d.path("a"))
	require.NoError(d.t, err)
	return string(data)
}

// Context implements [Turn].
func (d *desk) Context() context.Context { return d.ctx }

// Life implements [Turn].
func (d *desk) Life() context.Context { return d.t.Context() }

// Send implements [Turn].
func (d *desk) Send(ctx context.Context, events ...agent.Event) bool {
	if ctx.Err() != nil {
		return false
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range events {
		d.events = append(d.events, e)
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			require.NotEmpty(d.t, d.decide, "a confirmation was requested")
			if d.before != nil {
				d.before()
			}
			r := agent.ConfirmationResponse{ToolCallID: e.ToolCallID, Decision: d.decide}
			if d.accept != "" {
				r.Accepted = []agent.AcceptedText{{Path: e.Diffs[0].Path, Text: d.accept}}
			}
			if d.texts != nil {
				r.Accepted = d.texts(e.Diffs[0].Path)
			}
			require.True(d.t, d.box.Confirm(r))
		case *agent.QuestionAsked:
			r := d.answer
			r.QuestionID = e.QuestionID
			require.True(d.t, d.box.Answer(r))
		}
	}
	return true
}

// call runs a call with JSON arguments.
func (d *desk) call(name, args string) Result {
	d.t.Helper()
	require.True(d.t, json.Valid([]byte(args)), args)
	return d.box.Run(d, "call", name, []byte(args))
}

// types returns the types of the events so far, and forgets the events.
func (d *desk) types() (types []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.events {
		types = append(types, e.Type())
	}
	d.events = nil
	return types
}
