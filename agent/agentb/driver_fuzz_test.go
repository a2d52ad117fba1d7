package agentb_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentb"
	"github.com/turnwire/turnwire/agent/remote"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 30 * time.Second

// What a server sends, whatever it is, is a turn that ends.
func FuzzTurns(f *testing.F) {
	events := func(lines ...string) string { return "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n" }
	f.Add(events(delta(1, "a"), delta(2, `\ud83d`), completed("x")), `{}`, true)
	f.Add(events(append(required(call("c1")), completed("x"))...), `{"ok":true}`, true)
	f.Add(events(append(required(call("c1"), call("c1")), completed("x"))...), ``, false)
	f.Add(events(required(call(""))...), `[]`, true)
	f.Add(events(`{"type":"thread.run.failed","runId":7,"threadId":"unknown","data":null}`), `null`, true)
	f.Add(events(line("thread.run.step.tool_call.created", `{"toolCall":`+call(`c\ud83d`)+`}`), line("thread.run.cancelled", `{}`)), ``, true)
	f.Add("event: error\ndata: x\n\n", ``, false)
	server := serveWhatever(f)
	f.Fuzz(func(t *testing.T, stream, answer string, outputs bool) {
		server.say(stream, answer)
		c := agentb.Config{Remote: remote.Config{BaseURL: server.URL}, Path: "/run", CancelPath: "/cancel"}
		if outputs {
			c.ToolOutputs = "/outputs"
		}
		requireATurn(t, agentb.New(c))
	})
}

// whatever is a server that answers anything with what it was given.
type whatever struct {
	*httptest.Server
	mu      sync.Mutex
	stream  string // of each stream of events
	answer  string // to all other requests
	streams int    // that were opened
}

func serveWhatever(tb testing.TB) *whatever {
	tb.Helper()
	w := new(whatever)
	w.Server = httptest.NewServer(w)
	tb.Cleanup(w.Close)
	return w
}

// say sets what is answered from now on.
func (s *whatever) say(stream, answer string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stream, s.answer, s.streams = stream, answer, 0
}

func (s *whatever) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !strings.Contains(r.Header.Get("Accept"), "event-stream") {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, s.answer)
		return
	}
	if s.streams++; s.streams > 2 {
		http.NotFound(w, r) // it may say the same for ever
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, s.stream)
}

// requireATurn runs a turn: it ends, once, with what can be passed on. All that
// is asked is answered by a cancel.
func requireATurn(t *testing.T, a agent.Agent) {
	t.Helper()
	s, err := a.Open(t.Context(), agent.Options{SessionID: "s", Cwd: "/"})
	require.NoError(t, err)
	require.NoError(t, s.Prompt(agent.Prompt{SessionID: "s", TurnID: "t", Text: "go"}))
	silence := time.NewTimer(patience) // ends tests that would hang
	defer silence.Stop()
	ended := 0
	for ended == 0 {
		select {
		case b, ok := <-s.Events():
			require.True(t, ok, "the events end before the turn")
			for e := range b.Events() {
				line := agent.AppendJSON(nil, e)
				require.True(t, json.Valid(line) && utf8.Valid(line), "%q", line)
				switch e := e.(type) {
				case *agent.ConfirmationRequested, *agent.QuestionAsked:
					s.Cancel(agent.Cancel{TurnID: "t"})
				case *agent.Done:
					ended++
				case *agent.Error:
					if e.Fatal == nil || *e.Fatal {
						ended++
					}
				}
			}
			b.Release()
		case <-silence.C:
			require.Fail(t, "the turn does not end")
		}
	}
	require.Equal(t, 1, ended)
	require.NoError(t, s.Close(context.Background()))
}
