package replay_test

import (
	"context"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/replay"
)

const (
	ask      = `{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x"}`
	question = `{"type":"question","questionId":"q","question":"?"}`
	done     = `{"type":"done","text":"","turnId":"recorded"}`
)

func say(text string) string { return `{"type":"text_delta","text":"` + text + `"}` }

// recording writes a file with these lines.
func recording(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "recording.ndjson")
	require.NoError(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600))
	return path
}

func TestEachPromptHasATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		turns := []string{say("one") + "\n", say("two") + "\n" + done + "\n" + say("lost")}
		a := replay.NewTurns(func(n int) (io.ReadCloser, error) {
			if n == len(turns) {
				return nil, fs.ErrNotExist
			}
			return io.NopCloser(strings.NewReader(turns[n])), nil
		}, native.Dialect)
		s, err := a.Open(t.Context(), agent.Options{SessionID: "s", Log: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		l := listenTo(t, s)
		l.prompt("t1")
		l.expect("one t1", "done t1")
		l.prompt("t2")
		l.expect("two t2", "done t2")
		require.ErrorIs(t, l.Prompt(agent.Prompt{TurnID: "t3"}), fs.ErrNotExist)
		l.close()
	})
}

// listener records a session's events until it is closed. It runs in a synctest
// bubble, where synctest.Wait returns once everything is blocked.
type listener struct {
	t *testing.T
	agent.Session
	events []string
	ended  chan struct{}
}

func open(t *testing.T, path string) agent.Session {
	t.Helper()
	s, err := replay.New(path, native.Dialect).Open(t.Context(), agent.Options{SessionID: "s", Log: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	return s
}

func listen(t *testing.T, path string) *listener {
	t.Helper()
	return listenTo(t, open(t, path))
}

func listenTo(t *testing.T, s agent.Session) *listener {
	t.Helper()
	l := &listener{t: t, Session: s, ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		for b := range s.Events() {
			for e := range b.Events() {
				l.events = append(l.events, brief(e))
			}
			b.Release()
		}
	}()
	return l
}

func (l *listener) prompt(turn string) {
	l.t.Helper()
	require.NoError(l.t, l.Prompt(agent.Prompt{TurnID: turn, Text: "hello"}))
}

// expect waits until everything is blocked, and compares the events since the
// last call.
func (l *listener) expect(want ...string) {
	l.t.Helper()
	synctest.Wait()
	require.Equal(l.t, want, l.events)
	l.events = nil
}

func (l *listener) close() {
	l.t.Helper()
	require.NoError(l.t, l.Close(context.Background()))
	<-l.ended
	require.Empty(l.t, l.events)
}

func brief(e agent.Event) string {
	out := e.Type()
	switch e := e.(type) {
	case *agent.TextDelta:
		out = e.Text.String()
	case *agent.Done:
		out += " " + string(e.StopReason)
	case *agent.Error:
		out += " " + e.Code
	}
	return strings.TrimSpace(out) + " " + e.Common().TurnID
}

func TestARecordingIsReplayedInOrderForEveryPrompt(t *testing.T) {
	path := recording(t, say("a"), "no event", `{"type":"brand_new","turnId":"recorded"}`, say("b"), done, say("never"))
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		for _, turn := range []string{"t1", "t2"} {
			l.prompt(turn)
			l.expect("a "+turn, "brand_new "+turn, "b "+turn, "done "+turn)
		}
		l.close()
	})
}

func TestARecordingWithoutAnEndEndsWithADone(t *testing.T) {
	for name, path := range map[string]string{"cut": recording(t, say("a")), "empty": recording(t)} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := listen(t, path)
				l.prompt("t1")
				synctest.Wait()
				require.Equal(t, "done t1", l.events[len(l.events)-1])
				l.events = nil
				l.close()
			})
		})
	}
}

func TestAnErrorEndsTheReplayUnlessItIsNotFatal(t *testing.T) {
	path := recording(t, `{"type":"error","error":"e","code":"soft","fatal":false}`, say("a"), `{"type":"error","error":"e","code":"hard"}`, say("never"))
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		l.prompt("t1")
		l.expect("error soft t1", "a t1", "error hard t1")
		l.close()
	})
}

func TestTheReplayWaitsForAnswers(t *testing.T) {
	path := recording(t, ask, say("a"), question, say("b"), done)
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		l.Confirm(agent.ConfirmationResponse{Decision: agent.AllowOnce}) // there was no request
		l.prompt("t1")
		l.expect("tool_confirmation_request t1")
		l.Confirm(agent.ConfirmationResponse{Decision: agent.RejectOnce})
		l.expect("a t1", "question t1")
		l.Answer(agent.QuestionResponse{Cancelled: true})
		l.expect("b t1", "done t1")
		l.close()
	})
}

func TestRecordedEditorRequestsAreSkipped(t *testing.T) {
	path := recording(t, say("a"),
		`{"type":"editor_request","requestId":"r","action":"write_file","path":"/etc/passwd","text":"x"}`,
		`{"type":"editor_request","requestId":"s","action":"create_terminal","command":"rm"}`, say("b"), done)
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		l.prompt("t1")
		l.expect("a t1", "b t1", "done t1")
		l.close()
	})
}

func TestAnAnswerBeforeTheRequestDoesNotCount(t *testing.T) {
	path := recording(t, say("a"), ask, done)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		require.NoError(t, s.Prompt(agent.Prompt{TurnID: "t1"}))
		synctest.Wait() // the first event waits to be received
		for range 100 {
			s.Confirm(agent.ConfirmationResponse{Decision: agent.AllowOnce})
		}
		l := listenTo(t, s)
		l.expect("a t1", "tool_confirmation_request t1")
		l.Confirm(agent.ConfirmationResponse{Decision: agent.AllowOnce})
		l.expect("done t1")
		l.close()
	})
}

func TestACancelEndsTheTurn(t *testing.T) {
	path := recording(t, say("a"), ask, say("never"), done)
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		l.Cancel(agent.Cancel{}) // no turn is running
		l.prompt("t1")
		l.expect("a t1", "tool_confirmation_request t1")
		l.Cancel(agent.Cancel{TurnID: "t1"})
		l.Abandon("t1")
		l.expect("done cancelled t1")
		l.Cancel(agent.Cancel{TurnID: "t1"})
		l.prompt("t2")
		l.expect("a t2", "tool_confirmation_request t2")
		l.Cancel(agent.Cancel{TurnID: "t2"})
		l.expect("done cancelled t2")
		l.close()
	})
}

func TestACancelEndsATurnWhoseEndWasNotReceived(t *testing.T) {
	for _, last := range []string{done, `{"type":"error","error":"e"}`} {
		path := recording(t, last)
		synctest.Test(t, func(t *testing.T) {
			s := open(t, path)
			require.NoError(t, s.Prompt(agent.Prompt{TurnID: "t1"}))
			synctest.Wait() // the end waits to be received
			s.Cancel(agent.Cancel{TurnID: "t1"})
			synctest.Wait()
			l := listenTo(t, s)
			l.expect("done cancelled t1")
			l.close()
		})
	}
}

func TestTheReplayFollowsItsReceiversPace(t *testing.T) {
	path := recording(t, say("a"), say("b"), done)
	synctest.Test(t, func(t *testing.T) {
		s := open(t, path)
		require.NoError(t, s.Prompt(agent.Prompt{TurnID: "t1"}))
		first := <-s.Events()
		var saved agent.Event
		for e := range first.Events() {
			saved = e
		}
		synctest.Wait()
		require.Equal(t, "a t1", brief(saved), "an event stays as it is until its batch is released")
		s.Cancel(agent.Cancel{})
		synctest.Wait()
		require.Equal(t, "a t1", brief(saved))
		first.Release()
		for e := range (<-s.Events()).Events() {
			require.Equal(t, "done cancelled t1", brief(e))
		}
		require.NoError(t, s.Close(context.Background()))
	})
}

func TestCloseEndsAReplayWithoutAReceiver(t *testing.T) {
	path := recording(t, say("a"), ask, done)
	for taken := range 3 {
		synctest.Test(t, func(t *testing.T) {
			s := open(t, path)
			require.NoError(t, s.Prompt(agent.Prompt{TurnID: "t1"}))
			for n := range taken {
				b := <-s.Events()
				if n+1 < taken {
					b.Release() // the last one is never released
				}
			}
			require.NoError(t, s.Close(context.Background()))
			require.NoError(t, s.Close(context.Background()), "closing twice is closing once")
			_, open := <-s.Events()
			require.False(t, open)
			require.ErrorIs(t, s.Prompt(agent.Prompt{TurnID: "t2"}), fs.ErrClosed)
		})
	}
}

func TestARecordingOfServerSentEventsIsReplayed(t *testing.T) {
	path := recording(t, ": a comment", "", "data: "+say("a"), "id: 1", "", "data: "+done, "")
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, path)
		l.prompt("t1")
		l.expect("a t1", "done t1")
		l.close()
	})
}

func TestAFileThatCannotBeReadFailsThePrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, filepath.Join(t.TempDir(), "missing"))
		require.ErrorIs(t, l.Prompt(agent.Prompt{TurnID: "t1"}), fs.ErrNotExist)
		l.close()
	})
}

func TestAReadErrorFailsTheTurn(t *testing.T) {
	dir := t.TempDir() // can be opened but not read
	synctest.Test(t, func(t *testing.T) {
		l := listen(t, dir)
		l.prompt("t1")
		l.expect("error replay_failed t1")
		l.close()
	})
}

func TestInfoNamesTheAgent(t *testing.T) {
	require.Equal(t, agent.Info{Name: "replay", Title: "Replay"}, replay.New("x", native.Dialect).Info())
}
