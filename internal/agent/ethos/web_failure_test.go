package ethos_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

func TestWebBrokenStreamsResumeWhereTheyWere(t *testing.T) {
	s := serve(t)
	s.cutAt = 2
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "hi")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
	require.Equal(t, []string{"", "2"}, s.lastIDs())
}

func TestWebStreamsThatCannotResumeAreAnError(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewHurriedWeb(s.config(goodKey), make([]time.Duration, 3), 0))
	c.prompt("t1", "wait")
	c.until("text_delta")
	require.NoError(t, s.Listener.Close())
	s.CloseClientConnections()
	e := c.failure()
	require.Equal(t, "agent_unreachable", e.Code)
	require.Contains(t, e.Error, s.URL)
}

// brief serves a web API whose streams end immediately, and counts them. The
// stream with the number last contains the end of a turn.
func brief(t *testing.T, last int32) (s *httptest.Server, streams *atomic.Int32) {
	streams = new(atomic.Int32)
	s = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			_, _ = w.Write([]byte(`{"json":{"sessionId":"s/1","turnId":"x"}}`))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte("data: {\"type\":\"stream_meta\",\"requestId\":\"r\"}\n\n"))
		if streams.Add(1) == last {
			_, _ = w.Write([]byte("data: {\"type\":\"done\",\"text\":\"At last.\",\"turnCount\":1}\n\n"))
		}
	}))
	t.Cleanup(s.Close)
	return s, streams
}

func TestWebEmptyStreamsFailAfterThreeRetries(t *testing.T) {
	s, streams := brief(t, 0)
	c := open(t, ethos.NewHurriedWeb(ethos.WebConfig{Remote: httpsse.Config{BaseURL: s.URL}}, make([]time.Duration, 3), time.Hour))
	for _, turn := range []string{"t1", "t2"} {
		c.prompt(turn, "hi")
		e := c.failure()
		require.Equal(t, "agent_cut_off", e.Code)
		require.Contains(t, e.Error, s.URL)
		require.EqualValues(t, 4, streams.Swap(0), "the first, and three attempts to get it back")
	}
}

func TestWebStreamsThatLastAlwaysReconnect(t *testing.T) {
	s, streams := brief(t, 20)
	c := open(t, ethos.NewHurriedWeb(ethos.WebConfig{Remote: httpsse.Config{BaseURL: s.URL}}, make([]time.Duration, 3), 0))
	c.prompt("t1", "hi")
	_, end := c.done()
	require.Equal(t, "At last.", end.Text)
	require.EqualValues(t, 20, streams.Load())
}

func TestWebErrorsNameTheURLAndWhatToDo(t *testing.T) {
	s := serve(t)
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>a web page</html>"))
	}))
	defer page.Close()
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "a trace of secret-token", http.StatusInternalServerError)
	}))
	defer broken.Close()
	refusing, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	nobody := "http://" + refusing.Addr().String()
	require.NoError(t, refusing.Close())

	for name, c := range map[string]struct {
		url, authorization, code string
		want                     []string
	}{
		"a wrong key":      {s.URL, "Bearer sk-ethos-bad", "unauthorized", []string{s.URL, "401", "token"}},
		"a used token":     {s.URL + "/?t=used-before", "", "unauthorized", []string{s.URL, "401", "only once"}},
		"a token, nobody":  {nobody + "/?t=secret-token", "", "agent_unreachable", []string{nobody, "refused"}},
		"a token, a name":  {strings.Replace(nobody, "//", "//secret-token:pass@", 1) + "/?t=x", "", "agent_unreachable", []string{nobody}},
		"a token, a page":  {page.URL + "/?t=secret-token", "", "unauthorized", []string{page.URL}},
		"a token, 404":     {s.URL + "/other/?t=secret-token", "", "http_404", []string{s.URL + "/other/auth/exchange", "404", "Check the URL"}},
		"a token, 500":     {broken.URL + "/?t=secret-token", "", "http_500", []string{broken.URL, "500", "log"}},
		"500":              {broken.URL, "Bearer secret-token", "http_500", []string{broken.URL, "500", "log"}},
		"a web page":       {page.URL, goodKey, "agent_unexpected_answer", []string{page.URL, "a web page"}},
		"nobody":           {nobody, goodKey, "agent_unreachable", []string{nobody, "refused"}},
		"a path of others": {s.URL + "/other", goodKey, "http_404", []string{s.URL + "/other", "404"}},
	} {
		t.Run(name, func(t *testing.T) {
			config := ethos.WebConfig{Remote: httpsse.Config{BaseURL: c.url, Header: http.Header{}, StartTimeout: 10 * time.Second}}
			if c.authorization != "" {
				config.Remote.Header.Set("Authorization", c.authorization)
			}
			conversation := open(t, ethos.NewWeb(config))
			for _, turn := range []string{"t1", "t2"} {
				conversation.prompt(turn, "hi")
				e := conversation.failure()
				require.Equal(t, c.code, e.Code, e.Error)
				for _, part := range c.want {
					require.Contains(t, e.Error, part)
				}
				require.NotContains(t, e.Error, "secret-token")
				require.NotContains(t, e.Error, "used-before")
				require.NotContains(t, e.Error, "sk-ethos")
			}
		})
	}
}

func TestWebHeadersAreSentWithTheTokenToo(t *testing.T) {
	s := serve(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Gate") != "open" {
			http.Error(w, "who are you?", http.StatusForbidden)
			return
		}
		r.Header.Set("Origin", s.URL)
		s.Config.Handler.ServeHTTP(w, r)
	}))
	defer front.Close()
	c := open(t, ethos.NewWeb(ethos.WebConfig{Remote: httpsse.Config{BaseURL: front.URL + "/?t=" + goodToken, Header: http.Header{"X-Gate": {"open"}}}}))
	c.prompt("t1", "hi")
	text, _ := c.done()
	require.Equal(t, "Hello.", text)
}

func TestWebRefusesInvalidURLs(t *testing.T) {
	_, err := ethos.NewWeb(ethos.WebConfig{Remote: httpsse.Config{BaseURL: "file:///etc"}}).Open(t.Context(), agent.Options{})
	require.ErrorContains(t, err, "http")
}

func TestWebIdleStreamsAreAnError(t *testing.T) {
	s := serve(t)
	config := s.config(goodKey)
	config.Remote.IdleTimeout = 200 * time.Millisecond
	c := open(t, ethos.NewWeb(config))
	c.prompt("t1", "silent")
	require.Equal(t, "agent_idle", c.failure().Code)
}
