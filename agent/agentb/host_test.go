package agentb_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentb"
	"github.com/turnwire/turnwire/agent/transport/httpsse"
)

// host is a server that has mounted the handler, and perhaps other routes.
type host struct {
	*httptest.Server
	mux    *http.ServeMux
	bodies chan string // of the requests
}

func newHost(t *testing.T) *host {
	t.Helper()
	h := &host{mux: http.NewServeMux(), bodies: make(chan string, 16)}
	h.Server = httptest.NewServer(h.mux)
	t.Cleanup(h.Close)
	return h
}

// on answers POST requests to a path, the first with the first of answers and
// so on, all that follow with the last.
func (h *host) on(path string, answers ...http.HandlerFunc) {
	next := make(chan http.HandlerFunc, len(answers))
	for _, a := range answers {
		next <- a
	}
	last := answers[len(answers)-1]
	h.mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		h.bodies <- string(body)
		select {
		case answer := <-next:
			answer(w, r)
		default:
			last(w, r)
		}
	})
}

// stream answers as the framework's handler does.
func stream(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		raw(w, "data: "+strings.Join(lines, "\n\ndata: ")+"\n\n")
	}
}

// raw begins or goes on with a stream of events.
func raw(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

// refuse answers with a status and a JSON body.
func refuse(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// open opens a session with the host.
func (h *host) open(t *testing.T, c agentb.Config) agent.Session {
	t.Helper()
	if c.Remote.BaseURL == "" {
		c.Remote.BaseURL = h.URL
	}
	return open(t, c, nil)
}

func open(t *testing.T, c agentb.Config, log *slog.Logger) agent.Session {
	t.Helper()
	return openWith(t, c, agent.Options{Log: log})
}

func openWith(t *testing.T, c agentb.Config, o agent.Options) agent.Session {
	t.Helper()
	s, err := agentb.New(c).Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close(context.Background())) })
	return s
}

func at(url string) agentb.Config { return agentb.Config{Remote: httpsse.Config{BaseURL: url}} }

func prompt(t *testing.T, s agent.Session, turnID string) {
	t.Helper()
	require.NoError(t, s.Prompt(agent.Prompt{TurnID: turnID, Text: "how much?"}))
}

// until returns the events of the turn t1 until one of a type.
func until(t *testing.T, s agent.Session, kind string) []string {
	t.Helper()
	return take(t, s, "t1", func(e agent.Event) bool { return e.Type() == kind })
}

// take returns the events of a turn until the last, without the turn's id.
func take(t *testing.T, s agent.Session, turnID string, isLast func(agent.Event) bool) []string {
	t.Helper()
	var got []string
	for {
		b, ok := <-s.Events()
		require.True(t, ok, "the events have ended behind %q", got)
		last := false
		for e := range b.Events() {
			require.Equal(t, turnID, e.Common().TurnID)
			e.Common().TurnID = ""
			if _, is := e.(*agent.State); is {
				continue // see the test of it
			}
			got = append(got, string(agent.AppendJSON(nil, e)))
			last = last || isLast(e)
		}
		b.Release()
		if last {
			return got
		}
	}
}

// ended returns the events of a turn.
func ended(t *testing.T, s agent.Session, turnID string) []string {
	t.Helper()
	return take(t, s, turnID, func(e agent.Event) bool {
		failed, is := e.(*agent.Error)
		return e.Type() == "done" || is && failed.Fatal == nil
	})
}

// failure is the error that a turn ended with.
func failure(t *testing.T, s agent.Session, turnID string) (text, code string) {
	t.Helper()
	got := ended(t, s, turnID)
	var e agent.Error
	require.NoError(t, json.Unmarshal([]byte(got[len(got)-1]), &e))
	require.Nil(t, e.Fatal)
	return e.Error, e.Code
}

// said is the body of the next request.
func (h *host) said() string { return <-h.bodies }

func inThread(thread, l string) string {
	return strings.Replace(l, `"threadId":"thread-1"`, fmt.Sprintf(`"threadId":%q`, thread), 1)
}
