package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/test/limits"
)

func TestMain(m *testing.M) {
	child.RunGuard()
	goleak.VerifyTestMain(m)
}

// hangs is how long a test waits before it counts as hanging.
const hangs = limits.Patience

// A client drives one session, as the bridge would.
type client struct {
	t       *testing.T
	dir     string
	session agent.Session
	prompts int
	batch   []agent.Event // received and not yet read
	// decide and reply answer the agent's requests. Without decide, a request
	// for a confirmation fails the test.
	decide func(*agent.ConfirmationRequested) agent.Decision
	reply  func(*agent.QuestionAsked) agent.QuestionResponse
}

// open opens a session in a directory with these files, and closes it when the
// test ends. It receives the announcement of the commands.
func open(t *testing.T, holds map[string]string, change ...func(*agent.Options)) *client {
	t.Helper()
	c := openOnly(t, holds, change...)
	require.IsType(t, (*agent.AvailableCommands)(nil), c.next())
	return c
}

func openOnly(t *testing.T, holds map[string]string, change ...func(*agent.Options)) *client {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for name, text := range holds {
		writeFile(t, filepath.Join(dir, name), text)
	}
	o := agent.Options{SessionID: "s", Cwd: dir}
	for _, f := range change {
		f(&o)
	}
	s, err := New().Open(t.Context(), o)
	require.NoError(t, err)
	c := &client{t: t, dir: dir, session: s}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), hangs)
		defer cancel()
		require.NoError(t, s.Close(ctx))
	})
	return c
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func (c *client) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *client) get(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(c.path(name))
	require.NoError(c.t, err)
	return string(data)
}

func (c *client) missing(name string) {
	c.t.Helper()
	_, err := os.Lstat(c.path(name))
	require.ErrorIs(c.t, err, fs.ErrNotExist)
}

// next receives one event.
func (c *client) next() agent.Event {
	c.t.Helper()
	if len(c.batch) > 0 {
		e := c.batch[0]
		c.batch = c.batch[1:]
		return e
	}
	select {
	case batch, ok := <-c.session.Events():
		require.True(c.t, ok, "the events ended")
		defer batch.Release()
		c.batch = slices.Collect(batch.Events())
		if len(c.batch) == 0 {
			return nil
		}
		return c.next()
	case <-time.After(hangs):
		require.Fail(c.t, "no event came")
		return nil
	}
}

// prompt starts a turn and returns its id.
func (c *client) prompt(lines ...string) string {
	c.t.Helper()
	c.prompts++
	id := fmt.Sprintf("turn-%d", c.prompts)
	require.NoError(c.t, c.session.Prompt(agent.Prompt{TurnID: id, Text: strings.Join(lines, "\n")}))
	return id
}

// turn runs a whole turn and returns its events.
func (c *client) turn(lines ...string) said {
	c.t.Helper()
	c.prompt(lines...)
	return c.rest()
}

// rest receives events up to the end of the turn, and answers requests.
func (c *client) rest() said {
	c.t.Helper()
	var all said
	for {
		e := c.next()
		require.Equal(c.t, fmt.Sprintf("turn-%d", c.prompts), e.Common().TurnID)
		all = append(all, e)
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			require.NotNil(c.t, c.decide, "a confirmation was asked for")
			c.session.Confirm(agent.ConfirmationResponse{ToolCallID: e.ToolCallID, Decision: c.decide(e)})
		case *agent.QuestionAsked:
			c.session.Answer(c.reply(e))
		case *agent.Done:
			return all
		}
	}
}

// until receives events up to the first one of type E.
func until[E agent.Event](c *client) E {
	c.t.Helper()
	for {
		e := c.next()
		if found, ok := e.(E); ok {
			return found
		}
		_, ended := e.(*agent.Done)
		require.False(c.t, ended, "the turn ended")
	}
}

func always(d agent.Decision) func(*agent.ConfirmationRequested) agent.Decision {
	return func(*agent.ConfirmationRequested) agent.Decision { return d }
}

// said are the events of a turn.
type said []agent.Event

// text is the answer.
func (s said) text() string {
	var b strings.Builder
	for _, e := range s {
		if d, ok := e.(*agent.TextDelta); ok {
			b.WriteString(d.Text.String())
		}
	}
	return b.String()
}

// output returns the tools' output.
func (s said) output() string {
	var b strings.Builder
	for _, e := range s {
		if d, ok := e.(*agent.ToolOutput); ok {
			b.WriteString(d.Text.String())
		}
	}
	return b.String()
}

// types lists the types of the events about tools.
func (s said) types() []string {
	var types []string
	for _, e := range s {
		if strings.HasPrefix(e.Type(), "tool_") {
			types = append(types, e.Type())
		}
	}
	return types
}

// all returns the events of one type.
func all[E agent.Event](s said) []E {
	var found []E
	for _, e := range s {
		if e, ok := e.(E); ok {
			found = append(found, e)
		}
	}
	return found
}

// one returns the only event of its type.
func one[E agent.Event](t *testing.T, s said) E {
	t.Helper()
	found := all[E](s)
	require.Len(t, found, 1)
	return found[0]
}

// An editor is a FileSystem in memory.
type editor struct {
	read, write bool
	mu          sync.Mutex
	buffers     map[string]string
	hang        chan struct{} // makes calls hang until their context ends, and is closed by them
}

func (e *editor) CanRead() bool  { return e.read }
func (e *editor) CanWrite() bool { return e.write }

func (e *editor) ReadTextFile(ctx context.Context, path string) (string, error) {
	if e.hang != nil {
		close(e.hang)
		<-ctx.Done()
		return "", ctx.Err()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	text, ok := e.buffers[path]
	if !ok {
		return "", fmt.Errorf("%s: resource not found", path)
	}
	return text, nil
}

func (e *editor) WriteTextFile(_ context.Context, path, text string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.buffers[path] = text
	return nil
}

func with(e *editor) func(*agent.Options) {
	return func(o *agent.Options) { o.Editor = e }
}
