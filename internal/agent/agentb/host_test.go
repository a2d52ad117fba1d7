package agentb_test

import (
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
	"github.com/turnwire/turnwire/internal/agent/agentb"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// host is a server with the handler, and possibly other routes.
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

// on answers POST requests to a path: each with the next of answers, and all
// later ones with the last.
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

// stream responds like the framework's handler.
func stream(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		raw(w, "data: "+strings.Join(lines, "\n\ndata: ")+"\n\n")
	}
}

// raw starts or continues a stream of events.
func raw(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	_, _ = io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

// refuse responds with a status and a JSON body.
func refuse(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// A conversation is a session with a host.
type conversation struct{ *agenttest.Conversation }

// open opens a session with the host.
func (h *host) open(t *testing.T, c agentb.Config) *conversation {
	t.Helper()
	if c.Remote.BaseURL == "" {
		c.Remote.BaseURL = h.URL
	}
	return open(t, c, nil)
}

func open(t *testing.T, c agentb.Config, log *slog.Logger) *conversation {
	t.Helper()
	return openWith(t, c, agent.Options{Log: log})
}

func openWith(t *testing.T, c agentb.Config, o agent.Options) *conversation {
	t.Helper()
	s := &conversation{agenttest.Open(t, agentb.New(c), o, nil)}
	s.Brief = s.brief
	return s
}

// brief returns an event of the turn without the turn's id. It drops states,
// which have their own tests.
func (c *conversation) brief(e agent.Event) string {
	require.Equal(c.T, c.Turn, e.Common().TurnID)
	if _, is := e.(*agent.State); is {
		return ""
	}
	return agenttest.JSON(e)
}

func at(url string) agentb.Config { return agentb.Config{Remote: httpsse.Config{BaseURL: url}} }

func (c *conversation) prompt(turnID string) {
	c.T.Helper()
	c.Send(agent.Prompt{TurnID: turnID, Text: "how much?"})
}

// until returns the turn's events up to the first one of a type.
func (c *conversation) until(kind string) []string {
	c.T.Helper()
	return c.Until(func(e agent.Event) bool { return e.Type() == kind })
}

// failure returns the error that ended the turn.
func (c *conversation) failure() (text, code string) {
	c.T.Helper()
	got := c.UntilEnd()
	var e agent.Error
	require.NoError(c.T, json.Unmarshal([]byte(got[len(got)-1]), &e))
	require.Nil(c.T, e.Fatal)
	return e.Error, e.Code
}

// nextBody returns the body of the next request.
func (h *host) nextBody() string { return <-h.bodies }

func inThread(thread, l string) string {
	return strings.Replace(l, `"threadId":"thread-1"`, fmt.Sprintf(`"threadId":%q`, thread), 1)
}
