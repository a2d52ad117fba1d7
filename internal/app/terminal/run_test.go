package terminal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A watched is a buffer that signals each write.
type watched struct {
	mu   sync.Mutex
	buf  bytes.Buffer
	more chan struct{}
}

func newWatched() *watched { return &watched{more: make(chan struct{}, 1)} }

func (w *watched) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.buf.Write(b)
	select {
	case w.more <- struct{}{}:
	default:
	}
	return n, err
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

// await waits until the written data contains text.
func (w *watched) await(t *testing.T, text string) {
	t.Helper()
	for !strings.Contains(w.String(), text) {
		select {
		case <-w.more:
		case <-t.Context().Done():
			t.Fatalf("%q does not come; there is %q", text, w.String())
		}
	}
}

// A session is a run that a test controls step by step.
type session struct {
	t          *testing.T
	agent      *scriptedAgent
	stdout     *watched
	keys       *io.PipeWriter
	interrupts chan os.Signal
	cancel     context.CancelFunc
	code       int
	err        error
	done       chan struct{}
}

// startSession starts a run. If keys only count after a delay, the test runs in a bubble
// with virtual time.
func startSession(t *testing.T, script string, opts Options) *session {
	t.Helper()
	r, w := io.Pipe()
	stream, in, out := pipes()
	s := &session{t: t, stdout: newWatched(), keys: w, interrupts: make(chan os.Signal), done: make(chan struct{})}
	s.agent = newScriptedAgent(in, out, script)
	ctx, cancel := context.WithCancel(t.Context())
	s.cancel = cancel
	opts.Prompt, opts.Cwd, opts.Stdin, opts.Stdout, opts.Stderr = "go", "/w", r, s.stdout, io.Discard
	opts.Interrupts = s.interrupts
	var agentDone sync.WaitGroup
	agentDone.Go(s.agent.run)
	go func() {
		defer close(s.done)
		s.code, s.err = Run(ctx, stream, opts)
	}()
	t.Cleanup(func() {
		cancel()
		<-s.done
		_ = r.Close()
		_ = w.Close()
		agentDone.Wait()
	})
	return s
}

func (s *session) press(keys string) {
	s.t.Helper()
	_, err := io.WriteString(s.keys, keys)
	require.NoError(s.t, err)
}

func (s *session) wait() (int, error) {
	<-s.done
	return s.code, s.err
}

const (
	following = `attached {"clientId":"me"}`
	running   = `update {"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Working"}}`
	asking    = `{"sessionId":"s1","toolCall":{"toolCallId":"c1","title":"Run ls","kind":"execute","rawInput":{"command":"ls -la"}},"options":[{"optionId":"yes","name":"Allow","kind":"allow_once"},{"optionId":"no","name":"Reject","kind":"reject_once"}]}`
	another   = `{"sessionId":"s1","toolCall":{"toolCallId":"c2","title":"Run ps","kind":"execute"},"options":[{"optionId":"yes2","name":"Allow","kind":"allow_once"},{"optionId":"no2","name":"Reject","kind":"reject_once"}]}`
)

var interactive = map[string]Options{
	"live":  {Interactive: true},
	"plain": {Interactive: true, Dumb: true},
}

func TestAKeyAnswersAConfirmation(t *testing.T) {
	for name, opts := range interactive {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startSession(t, "permission "+asking+"\nstop end_turn", opts)
				s.stdout.await(t, "$ ls -la")
				s.stdout.await(t, "[y]es")
				s.press("x")
				time.Sleep(readTime)
				s.press("y\n")
				code, err := s.wait()
				require.NoError(t, err)
				require.Equal(t, ExitDone, code)
				require.Contains(t, s.stdout.String(), "→ yes, once")
				require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"yes"}}`+"\n", s.agent.answers())
			})
		})
	}
}

func TestALineAnswersAQuestion(t *testing.T) {
	for name, opts := range interactive {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startSession(t, `question {"sessionId":"s1","mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"answer":{"type":"string"}},"required":["answer"]}}`+"\nstop end_turn", opts)
				s.stdout.await(t, "› ")
				s.press("\n")
				s.stdout.await(t, "An answer is required")
				s.press("Anna\n")
				code, err := s.wait()
				require.NoError(t, err)
				require.Equal(t, ExitDone, code)
				require.Equal(t, `{"action":"accept","content":{"answer":"Anna"}}`+"\n", s.agent.answers())
			})
		})
	}
}

func TestConfirmationsOfParallelToolsWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startSession(t, "ask "+asking+"\nask "+another+"\n"+running+"\nanswer\nanswer\nstop end_turn", Options{Interactive: true})
		s.stdout.await(t, "Working")
		require.NotContains(t, s.stdout.String(), "Run ps\r\n", "the second waits")
		s.stdout.await(t, "[n]o")
		s.press("n")
		s.stdout.await(t, "→ no")
		s.stdout.await(t, "Run ps")
		time.Sleep(readTime)
		s.press("y")
		_, err := s.wait()
		require.NoError(t, err)
		require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"no"}}
{"outcome":{"outcome":"selected","optionId":"yes2"}}
`, s.agent.answers())
	})
}

func TestAWithdrawnConfirmationIsNoLongerAsked(t *testing.T) {
	s := startSession(t, "ask "+asking+"\nwithdraw\nanswer\nstop end_turn", Options{Interactive: true})
	code, err := s.wait()
	require.NoError(t, err)
	require.Equal(t, ExitDone, code)
	require.Equal(t, `{"outcome":{"outcome":"cancelled"}}`+"\n", s.agent.answers())
	require.Contains(t, s.stdout.String(), "→ withdrawn")
}

func TestEOFRefusesConfirmations(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startSession(t, "permission "+asking+"\npermission "+another+"\nstop end_turn", Options{Interactive: true})
		s.stdout.await(t, "Allow?")
		require.NoError(t, s.keys.Close())
		code, err := s.wait()
		require.NoError(t, err)
		require.Equal(t, ExitDone, code)
		require.Equal(t, `{"outcome":{"outcome":"selected","optionId":"no"}}
{"outcome":{"outcome":"selected","optionId":"no2"},"_meta":{"turnwire.dev/unasked":"the user cannot be asked"}}
`, s.agent.answers())
	})
}

func TestLeavingAConfirmationCancelsTheTurn(t *testing.T) {
	for name, keys := range map[string]string{"escape": "\x1b", "interrupt": "\x03"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := startSession(t, "ask "+asking+"\ncancel\nanswer\npermission "+another+"\nstop cancelled", Options{Interactive: true})
				s.stdout.await(t, "[y]es")
				s.press(keys)
				code, err := s.wait()
				require.NoError(t, err)
				require.Equal(t, ExitCancelled, code)
				require.Equal(t, `session/cancel
{"outcome":{"outcome":"cancelled"}}
{"outcome":{"outcome":"cancelled"}}
`, s.agent.answers(), "what is asked after a cancel is refused too")
			})
		})
	}
}

func TestTheFirstInterruptCancelsAndTheSecondLeaves(t *testing.T) {
	for name, opts := range map[string]Options{"live": {Interactive: true}, "plain": {}, "json": {JSON: true}} {
		t.Run(name, func(t *testing.T) {
			s := startSession(t, running+"\ncancel\n"+strings.ReplaceAll(running, "Working", "Stopping")+"\nhang", opts)
			s.stdout.await(t, "Working")
			s.interrupts <- os.Interrupt
			s.stdout.await(t, "Stopping")
			s.interrupts <- os.Interrupt
			code, err := s.wait()
			require.NoError(t, err)
			require.Equal(t, ExitCancelled, code)
			require.Equal(t, "session/cancel\n", s.agent.answers())
		})
	}
}

func TestAnEndingProcessCancelsTheTurn(t *testing.T) {
	s := startSession(t, running+"\ncancel\nstop cancelled", Options{})
	s.stdout.await(t, "Working")
	s.cancel()
	code, err := s.wait()
	require.NoError(t, err)
	require.Equal(t, ExitCancelled, code)
	require.Equal(t, "session/cancel\n", s.agent.answers())
}

func TestAnEndingProcessDoesNotWaitForever(t *testing.T) {
	s := startSession(t, running+"\nhang", Options{})
	s.stdout.await(t, "Working")
	s.cancel()
	code, err := s.wait()
	require.NoError(t, err)
	require.Equal(t, ExitCancelled, code)
}

func TestALostConnectionIsAnError(t *testing.T) {
	stream, in, out := pipes()
	done := make(chan struct{})
	go func() {
		defer close(done)
		a := newScriptedAgent(in, out, "")
		a.respond("initialize", `{"protocolVersion":1}`)
		_ = out.Close()
		_, _ = io.Copy(io.Discard, in)
	}()
	code, err := Run(t.Context(), stream, Options{Stdout: io.Discard, Stderr: io.Discard})
	require.ErrorIs(t, err, ErrClosed)
	require.Equal(t, ExitError, code)
	<-done
}

func TestAnotherVersionOfTheProtocolIsAnError(t *testing.T) {
	stream, in, out := pipes()
	done := make(chan struct{})
	go func() {
		defer close(done)
		newScriptedAgent(in, out, "").respond("initialize", `{"protocolVersion":9}`)
		_, _ = io.Copy(io.Discard, in)
	}()
	code, err := Run(t.Context(), stream, Options{Stdout: io.Discard, Stderr: io.Discard})
	require.ErrorContains(t, err, "version 9")
	require.Equal(t, ExitError, code)
	<-done
}

type brokenWriter struct{}

var errBroken = errors.New("nobody reads")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestAClosedStdoutEndsTheRun(t *testing.T) {
	for name, opts := range map[string]Options{"live": {Interactive: true}, "plain": {}, "json": {JSON: true}} {
		t.Run(name, func(t *testing.T) {
			stream, in, out := pipes()
			done := make(chan struct{})
			go func() {
				defer close(done)
				newScriptedAgent(in, out, running+"\nhang").run()
			}()
			opts.Stdout, opts.Stderr = brokenWriter{}, io.Discard
			code, err := Run(t.Context(), stream, opts)
			require.ErrorIs(t, err, errBroken)
			require.Equal(t, ExitError, code)
			<-done
		})
	}
}
