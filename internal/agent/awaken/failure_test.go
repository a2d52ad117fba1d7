package awaken_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/awaken"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

func TestABrokenStreamContinuesFromTheStore(t *testing.T) {
	for name, set := range map[string]func(s *standIn){
		"once":                   func(s *standIn) { s.breaks = 3 },
		"again and again":        func(s *standIn) { s.breaks, s.drops = 2, 1 },
		"with an expired cursor": func(s *standIn) { s.breaks, s.expired = 4, true },
	} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) {
				r.say(began, textDelta("a"), textDelta("a"), textDelta("b"), textDelta("a"), textDelta("c"), finished)
			})
			set(s)
			c := open(t, s.url)
			c.prompt("t1")
			var text strings.Builder
			for _, line := range c.untilEnd() {
				if piece, ok := strings.CutPrefix(line, `{"type":"text_delta","text":"`); ok {
					text.WriteString(strings.TrimSuffix(piece, `"}`))
				}
			}
			require.Equal(t, "aabac", text.String(), "%q", s.requests())
			require.Empty(t, s.cancelled)
		})
	}
}

func TestAServerWithoutAnEventStoreSaysSo(t *testing.T) {
	s := stand(t, suspend)
	s.unwired = true
	c := open(t, s.url)
	c.prompt("t1")
	got := c.untilEnd()
	last := got[len(got)-1]
	require.Contains(t, last, `"code":"awaken_no_event_store"`)
	require.Contains(t, last, s.url)
	require.Contains(t, last, "EventModule")
	require.Equal(t, "cancel", (<-s.decisions).Action, "nothing is left waiting")
	require.Equal(t, "r1", <-s.cancelled)
}

func TestServerErrorsAreReportedAndTheNextPromptWorks(t *testing.T) {
	status := func(code int, body, kind string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = w.Write([]byte(body))
		})
	}
	for name, h := range map[string]http.Handler{
		"unauthorized":            status(http.StatusUnauthorized, `{"error":"token missing"}`, "application/json"),
		"http_404":                status(http.StatusNotFound, "", "text/plain"),
		"http_500":                status(http.StatusInternalServerError, `{"error":"out of order"}`, "application/json"),
		"agent_unexpected_answer": status(http.StatusOK, "<html>Welcome</html>", "text/html"),
	} {
		t.Run(name, func(t *testing.T) {
			s := stand(t, func(r *standRun) { r.say(began, finished) })
			s.refuse = h
			c := open(t, s.url)
			c.prompt("t1")
			got := c.untilEnd()
			require.Contains(t, got[0], s.url)
			require.Contains(t, got[0], `"code":"`+name+`"`)
			s.mend()
			c.prompt("t2")
			got = c.untilEnd()
			require.Equal(t, `{"type":"done","text":""}`, got[len(got)-1])
		})
	}
}

func TestAStreamThatEndsTooEarlyIsAnError(t *testing.T) {
	s := stand(t, func(*standRun) {})
	c := open(t, s.url)
	c.prompt("t1")
	got := c.untilEnd()
	require.Contains(t, got[0], `"code":"agent_cut_off"`)
	require.Contains(t, got[0], s.url)
}

func TestAnUnreachableServerIsNamed(t *testing.T) {
	h := httptest.NewServer(http.NotFoundHandler())
	h.Close()
	c := open(t, h.URL)
	c.prompt("t1")
	got := c.untilEnd()
	require.Contains(t, got[0], h.URL)
	require.Contains(t, got[0], `"code":"agent_unreachable"`)
}

func TestAConfigurationThatCannotWorkIsRefused(t *testing.T) {
	for text, c := range map[string]awaken.Config{
		"http": {Remote: httpsse.Config{BaseURL: "ftp://localhost"}, AgentID: "helper"},
	} {
		_, err := awaken.New(c).Open(t.Context(), agent.Options{})
		require.ErrorContains(t, err, text)
	}
	require.Equal(t, agent.Info{Name: "awaken", Title: "Awaken (helper)", Resume: true}, awaken.New(awaken.Config{AgentID: "helper"}).Info())
}
