package process_test

import (
	"context"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

// A fake is a child whose output the test writes, in virtual time.
type fake struct {
	in, out net.Conn // the child's ends
	stdin   net.Conn
	stdout  net.Conn
	stderr  string
	done    chan struct{}
}

func newFake(stderr string) *fake {
	f := &fake{stderr: stderr, done: make(chan struct{})}
	f.in, f.stdin = net.Pipe()
	f.out, f.stdout = net.Pipe()
	go func() { _, _ = io.Copy(io.Discard, f.in) }()
	return f
}

func (f *fake) Stdin() io.WriteCloser { return f.stdin }
func (f *fake) Stdout() io.Reader     { return f.stdout }
func (f *fake) Done() <-chan struct{} { return f.done }
func (f *fake) StderrTail() string    { return f.stderr }
func (f *fake) Close()                { f.Kill() }

func (f *fake) Stop(context.Context) child.ExitStatus {
	f.Kill()
	return child.ExitStatus{}
}

func (f *fake) Kill() {
	_, _ = f.in.Close(), f.out.Close()
	select {
	case <-f.done:
	default:
		close(f.done)
	}
}

// hinted runs a turn and returns the hint that arrives within three seconds, or nil.
func hinted(t *testing.T, c process.Config, f *fake, prints func()) *agent.Hint {
	t.Helper()
	c.Args, c.Dialect, c.Start = []string{"x"}, native.Dialect, func(child.Spec) (process.Child, error) { return f, nil }
	s, err := process.New(c).Open(t.Context(), agent.Options{SessionID: "s", Cwd: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close(t.Context())) }()
	require.NoError(t, s.Prompt(agent.Prompt{SessionID: "s", TurnID: "t", Text: "hello"}))
	if prints != nil {
		go prints()
	}
	limit := time.After(3 * time.Second)
	for {
		select {
		case b := <-s.Events():
			var hint *agent.Hint
			for e := range b.Events() {
				if h, ok := e.(*agent.Hint); ok {
					hint = h
				}
			}
			b.Release()
			if hint != nil {
				return hint
			}
		case <-limit:
			return nil
		}
	}
}

func TestASilentCommandIsExplainedWithinThreeSeconds(t *testing.T) {
	known := lint.New(lint.SpeaksACP, "the program x speaks the Agent Client Protocol")
	known.Help = "Use --agent x."
	for name, c := range map[string]struct {
		stderr string
		misuse *lint.Finding
		prints string
		rule   string
		help   string
	}{
		"nothing":                    {rule: lint.Silent},
		"a known command":            {misuse: &known, rule: lint.SpeaksACP, help: "Use --agent x."},
		"events on stderr":           {stderr: `{"type":"text_delta","text":"x"}`, rule: lint.OnStderr},
		"a library's complaint":      {stderr: "Invalid message {\n", rule: lint.SpeaksACP},
		"a slow agent that answered": {misuse: &known, stderr: `{"type":"done"}`, prints: `{"type":"text_delta","text":"x"}` + "\n"},
		"ACP lines":                  {prints: `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"x"}}` + "\n", rule: lint.SpeaksACP},
		"stream-json":                {prints: `{"type":"system","subtype":"new","session_id":"x"}` + "\n", rule: lint.StreamJSON},
		"its input":                  {prints: `{"type":"prompt","sessionId":"s","turnId":"t","text":"hello"}` + "\n", rule: lint.Echo},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFake(c.stderr)
				var prints func()
				if c.prints != "" {
					prints = func() { _, _ = io.WriteString(f.out, c.prints) }
				}
				h := hinted(t, process.Config{Misuse: c.misuse}, f, prints)
				if c.rule == "" {
					require.Nil(t, h)
					return
				}
				require.NotNil(t, h)
				require.Equal(t, c.rule, h.Rule)
				if c.help != "" {
					require.Equal(t, c.help, h.Help)
				}
			})
		})
	}
}
