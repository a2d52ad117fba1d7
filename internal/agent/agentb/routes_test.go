package agentb_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/agentb"
)

// The framework's quick start mounts its handler at /chat-with-my-api, and its
// examples at /agent/stream. A host may mount it anywhere.
func TestTheRouteOfTheHandlerIsFound(t *testing.T) {
	for name, c := range map[string]struct{ route, path string }{
		"in the examples":            {"/agent/stream", ""},
		"in the quick start":         {"/chat-with-my-api", ""},
		"the URL of the quick start": {"/chat-with-my-api", "/chat-with-my-api"},
		"the URL of the examples":    {"/agent/stream", "/agent/stream"},
		"a URL of the host's own":    {"/api/talk", "/api/talk"},
		"below a URL":                {"/api/agent/stream", "/api"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.on(c.route, stream(completed("Three.")))
			config := at(h.URL + c.path)
			s := h.open(t, config)
			for _, turn := range []string{"t1", "t2"} {
				s.prompt(turn)
				require.Equal(t, []string{done}, s.UntilEnd())
				require.NotEmpty(t, h.nextBody())
			}
			require.Empty(t, h.bodies, "no prompt is given twice")
		})
	}
}

func TestAServerWithoutTheRouteSaysHowToNameIt(t *testing.T) {
	h := newHost(t)
	h.mux.HandleFunc("GET /agent/stream", http.NotFound) // a POST gets a 405
	s := h.open(t, at(h.URL))
	s.prompt("t1")
	text, code := s.failure()
	require.Equal(t, "http_404", code)
	for _, part := range []string{h.URL + "/agent/stream", h.URL + "/chat-with-my-api", "404", "`path`"} {
		require.Contains(t, text, part)
	}
	s = h.open(t, agentb.Config{Path: "/elsewhere"})
	s.prompt("t1")
	text, _ = s.failure()
	require.Contains(t, text, h.URL+"/elsewhere returned 404")
	require.NotContains(t, text, "/agent/stream")
}

func TestAForgottenConversationIsReported(t *testing.T) {
	h := newHost(t)
	created := line("agent.run.created", `{"status":"queued"}`)
	h.on("/agent/stream",
		stream(created, completed("a")),
		stream(created, completed("b")),
		stream(inThread("another", created), inThread("another", completed("c"))),
		stream(inThread("another", created), inThread("another", completed("d"))),
	)
	s := h.open(t, at(h.URL))
	for _, c := range []struct {
		turn string
		told bool
	}{{"t1", false}, {"t2", false}, {"t3", true}, {"t4", false}} {
		s.prompt(c.turn)
		require.Equal(t, c.told, strings.Contains(strings.Join(s.UntilEnd(), ""), "no longer knows this conversation"), c.turn)
	}
}
