package awaken_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/limits"
)

func TestAConversationGoesOnInItsThread(t *testing.T) {
	for name, c := range map[string]struct {
		answer string
		status int
		gone   bool
	}{
		"the server has it":      {`{"id":"old"}`, http.StatusOK, false},
		"the server has lost it": {`{"error":"thread not found: old"}`, http.StatusNotFound, true},
		"an older server":        {``, http.StatusNotFound, false},
		"a server that fails":    {`{"error":"on fire"}`, http.StatusInternalServerError, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) { r.say(began, textDelta("hello"), finished) })
			to, err := url.Parse(s.url)
			require.NoError(t, err)
			looked := 0
			mux := http.NewServeMux()
			mux.Handle("/", httputil.NewSingleHostReverseProxy(to))
			mux.HandleFunc("GET /v1/threads/old", func(w http.ResponseWriter, _ *http.Request) {
				looked++
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.answer))
			})
			server := httptest.NewServer(mux)
			defer server.Close()
			a := awaken.NewHurried(awaken.Config{Remote: httpsse.Config{BaseURL: server.URL}}, time.Millisecond, limits.Patience)
			conv := reopen(t, a, agent.Memory{Prompted: true, State: agent.Raw(`"old"`)})
			for _, turn := range []string{"t1", "t2"} {
				conv.prompt(turn)
				got := conv.untilEnd()
				require.Equal(t, c.gone && turn == "t1", count(got, "no longer knows this conversation") == 1, got)
				require.Zero(t, count(got, `"type":"state"`), "the name is known")
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			require.Equal(t, "old", s.starts[0]["threadId"])
			require.Equal(t, 1, looked)
		})
	}
}
