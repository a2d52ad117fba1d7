package awaken_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/awaken"
	"github.com/turnwire/turnwire/agent/remote"
)

// patience ends tests that would hang. Nothing is measured with it.
const patience = 30 * time.Second

// What a server sends, whatever it is, is a turn that ends.
func FuzzTurns(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "streams", "*.txtar"))
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		var stream strings.Builder
		for _, line := range lines(archive.Files[0].Data) {
			stream.WriteString("id: 7\ndata: " + string(line) + "\n\n")
		}
		f.Add(stream.String(), `{}`)
	}
	f.Add("data: "+began+"\n\n", `{"items":[`+finished+`],"next_cursor":"c","has_more":true}`)
	f.Add("data: "+began+"\n\n", `{"items":[7,null,{}],"next_cursor":"c","has_more":true}`)
	f.Add("data: "+began+"\n\nevent: error\ndata: {\"error\":\"full\"}\n\n", `{"items":7}`)
	f.Add("data: "+began+"\n\ndata: "+suspends("c1")+"\n\ndata: "+paused+"\n\n", ``)
	server := serveWhatever(f)
	f.Fuzz(func(t *testing.T, stream, answer string) {
		server.say(stream, answer)
		c := awaken.Config{Remote: remote.Config{BaseURL: server.URL}}
		requireATurn(t, awaken.NewHurried(c, time.Microsecond, time.Microsecond))
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
