package httpsse_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/test/memnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts an in-memory server with the handler h, and returns a client for it.
// It must be called in a synctest bubble.
func serve(t *testing.T, c httpsse.Config, h http.HandlerFunc) *httpsse.Client {
	t.Helper()
	c.Transport = memnet.Serve(t, h).Transport()
	if !strings.HasPrefix(c.BaseURL, "http:") {
		c.BaseURL = "http://server" + c.BaseURL
	}
	client, err := httpsse.New(c)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

func write(w io.Writer, text string) {
	_, _ = io.WriteString(w, text)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func events(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	write(w, text)
}

func TestCallSendsAndTakesJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{BaseURL: "/api/?team=a", Header: http.Header{"authorization": {"Bearer sesame"}}}, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_ = json.NewEncoder(w).Encode(map[string]string{
				"got": r.Method + " " + r.RequestURI + " " + string(body),
				"as":  r.Header.Get("Content-Type") + " " + r.Header.Get("Authorization"),
			})
		})
		var out struct {
			Got string `json:"got"`
			As  string `json:"as"`
		}
		require.NoError(t, c.Call(t.Context(), http.MethodPost, "/runs/a%2Fb?x=1", map[string]int{"n": 1}, &out))
		require.Equal(t, `POST /api/runs/a%2Fb?team=a&x=1 {"n":1}`, out.Got)
		require.Equal(t, "application/json Bearer sesame", out.As)
		require.NoError(t, c.Call(t.Context(), http.MethodGet, "", nil, nil))
	})
}

func TestATraceIsSentAsHeaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{}, func(w http.ResponseWriter, r *http.Request) {
			_ = json.NewEncoder(w).Encode([]string{r.Header.Get("Traceparent"), r.Header.Get("Tracestate")})
		})
		var sent []string
		require.NoError(t, c.Call(t.Context(), http.MethodGet, "", nil, &sent))
		require.Equal(t, []string{"", ""}, sent)
		ctx := agent.WithTrace(t.Context(), agent.TraceContext{TraceParent: "00-1-2-01", TraceState: "a=b"})
		require.NoError(t, c.Call(ctx, http.MethodGet, "", nil, &sent))
		require.Equal(t, []string{"00-1-2-01", "a=b"}, sent)
	})
}

func TestAStreamGivesItsEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{}, func(w http.ResponseWriter, r *http.Request) {
			events(w, ": heart-beat\n\ndata: {\"last\":\""+r.Header.Get("Last-Event-ID")+"\"}\nid: 8\n\n")
			events(w, "data: {\"two\":\ndata: 2}\n\n")
		})
		s, err := c.Stream(t.Context(), http.MethodGet, "/events", nil, "7")
		require.NoError(t, err)
		defer s.Close()
		var got []httpsse.Event
		for e, err := range s.All() {
			require.NoError(t, err)
			got = append(got, e)
		}
		require.Equal(t, []httpsse.Event{{ID: "8", Data: `{"last":"7"}`}, {ID: "8", Data: "{\"two\":\n2}"}}, got)
	})
}

func TestErrorsSayWhatFailedWhereAndWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   string
		text   []string
	}{
		"401": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"bad\nkey"}`, http.StatusUnauthorized)
		}, "unauthorized", []string{"401 Unauthorized: bad key", "token"}},
		"403": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"no"}}`, http.StatusForbidden)
		}, "http_403", []string{"403 Forbidden: no"}},
		"404": {func(w http.ResponseWriter, _ *http.Request) { http.NotFound(w, &http.Request{}) }, "http_404", []string{"404 Not Found: 404 page not found", "Check the URL"}},
		"500 with a page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(http.StatusInternalServerError)
			write(w, "<html>trace</html>")
		}, "http_500", []string{"500 Internal Server Error. See the server's log"}},
		"500 with its cause": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":"it failed.","details":"no disk"}`, http.StatusInternalServerError)
		}, "http_500", []string{"500 Internal Server Error: it failed: no disk. See"}},
		"400 with a cause alone": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"code":7},"detail":"no name","details":[1]}`, http.StatusBadRequest)
		}, "http_400", []string{"400 Bad Request: no name"}},
		"400 said twice": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"message":"no name","detail":"no name"}`, http.StatusBadRequest)
		}, "http_400", []string{"400 Bad Request: no name"}},
		"400 that says nothing": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"status":400}`, http.StatusBadRequest)
		}, "http_400", []string{"returned 400 Bad Request"}},
		"in a wrapper": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"json":{"code":"BAD_REQUEST","message":"no such turn"}}`, http.StatusBadRequest)
		}, "http_400", []string{"400 Bad Request: no such turn"}},
		"a long text": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("x", 9999), http.StatusBadRequest)
		}, "http_400", []string{"400 Bad Request: xxx", "…"}},
		"a redirection": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://elsewhere.invalid/", http.StatusFound)
		}, "http_302", []string{"redirects are not followed"}},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			write(w, "<html>")
		}, "agent_unexpected_answer", []string{"a web page instead of"}},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, "agent_unexpected_answer", []string{"instead of"}},
		"a cut": {func(w http.ResponseWriter, _ *http.Request) {
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		}, "agent_unreachable", []string{"cannot reach", "Check the URL, and that the server is running"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := serve(t, httpsse.Config{BaseURL: "/agent?key=sesame"}, c.answer)
				var out any
				_, stream := client.Stream(t.Context(), http.MethodPost, "/x", map[string]string{}, "")
				for _, err := range []error{client.Call(t.Context(), http.MethodPost, "/x", nil, &out), stream} {
					var coded lifecycle.Coded
					require.ErrorAs(t, err, &coded)
					require.Equal(t, c.code, coded.Code())
					require.Contains(t, err.Error(), client.URL()+"/x")
					require.NotContains(t, err.Error(), "sesame")
					for _, text := range c.text {
						require.Contains(t, err.Error(), text)
					}
				}
			})
		})
	}
}

func TestARefusedConnectionNamesOnlyTheURL(t *testing.T) {
	const nobody = "127.0.0.1:1"
	c, err := httpsse.New(httpsse.Config{BaseURL: "http://user:sesame@" + nobody + "/a?key=sesame"})
	require.NoError(t, err)
	err = c.Call(t.Context(), http.MethodGet, "/b", nil, nil)
	require.ErrorContains(t, err, "cannot reach http://"+nobody+"/a/b: ")
	require.ErrorContains(t, err, "refused")
	require.NotContains(t, err.Error(), "sesame")
}

func TestInvalidURLsAreRefused(t *testing.T) {
	for _, url := range []string{"http://u:se#same@host", "http://u:sesame?x@host", "http://u:sesame%zz@host", "", "localhost:3000", "ftp://host", "http://", "http://u:sesame@ho st/?k=sesame", "file:///etc/passwd"} {
		_, err := httpsse.New(httpsse.Config{BaseURL: url})
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "se#")
		require.NotContains(t, err.Error(), "sesame")
	}
	_, err := httpsse.New(httpsse.Config{BaseURL: "http://host:port/a?k=sesame"})
	require.EqualError(t, err, `the URL "http://host:port/a": invalid port ":port" after host`)
}

func TestSecretsInServerErrorsAreHidden(t *testing.T) {
	for name, body := range map[string]string{
		"in a text":     "no: Bearer sesame-1 of user sesame-2, sesame-3",
		"in JSON":       `{"error":"bad token \u0073esame-1","detail":"` + strings.Repeat("x", 290) + ` sesame-3"}`,
		"of a cookie":   "no such session: sesame-4",
		"that go on":    "no key sesame-10 here",
		"as a name":     "nobody is called sesame-name",
		"in many words": "sesame-1sesame-2 (sesame-3)",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := serve(t, httpsse.Config{
					BaseURL: "http://sesame-name:sesame-2@server?key=sesame-3",
					Header: http.Header{
						"Authorization": {"Bearer sesame-1"}, "cookie": {"a=1; id=sesame-4"}, "X-Key": {"sesame-10"},
					},
				}, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, http.StatusUnauthorized) })
				err := c.Call(t.Context(), http.MethodGet, "/x", nil, nil)
				require.ErrorContains(t, err, "401 Unauthorized: ")
				require.ErrorContains(t, err, "…")
				require.NotContains(t, err.Error(), "sesame")
				require.NotContains(t, err.Error(), "…0")
			})
		})
	}
}

func TestHeadersThatAreNotSecretAreShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{Header: http.Header{"Origin": {"http://localhost:3000"}, "X-Team": {"no"}}}, func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "nobody takes "+r.Header.Get("Origin"), http.StatusForbidden)
		})
		require.ErrorContains(t, c.Call(t.Context(), http.MethodGet, "/x", nil, nil), "nobody takes http://localhost:3000")
	})
}

func TestAnEscapedBasePathStaysAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{BaseURL: "/team%2Fa/100%25"}, func(w http.ResponseWriter, r *http.Request) {
			_ = json.NewEncoder(w).Encode(r.RequestURI)
		})
		for path, want := range map[string]string{"": "/team%2Fa/100%25", "/runs/a%2Fb": "/team%2Fa/100%25/runs/a%2Fb"} {
			var got string
			require.NoError(t, c.Call(t.Context(), http.MethodGet, path, nil, &got))
			require.Equal(t, want, got)
		}
	})
}

func TestLateResponsesAreErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{StartTimeout: 30 * time.Second}, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		began := time.Now()
		require.ErrorContains(t, c.Call(t.Context(), http.MethodGet, "/x", nil, nil), "no response in time")
		_, err := c.Stream(t.Context(), http.MethodGet, "/x", nil, "")
		require.ErrorContains(t, err, "no response in time")
		require.Equal(t, 2*30*time.Second, time.Since(began))
	})
}

func TestEndlessResponsesOfAnotherTypeAreErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{StartTimeout: 30 * time.Second}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			write(w, "<html>")
			<-r.Context().Done()
		})
		began := time.Now()
		_, err := c.Stream(t.Context(), http.MethodGet, "/events", nil, "")
		require.ErrorContains(t, err, "a web page instead of an event stream")
		require.Equal(t, 30*time.Second, time.Since(began))
	})
}

func TestAStreamThatIsSilentForTooLongIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{IdleTimeout: time.Minute}, func(w http.ResponseWriter, r *http.Request) {
			events(w, "data: x\n\n")
			<-r.Context().Done()
		})
		s, err := c.Stream(t.Context(), http.MethodGet, "/x", nil, "")
		require.NoError(t, err)
		defer s.Close()
		began := time.Now()
		var failed error
		for _, err := range s.All() {
			failed = err
		}
		require.Equal(t, time.Minute, time.Since(began))
		var idle *httpsse.IdleError
		require.ErrorAs(t, failed, &idle)
		require.Equal(t, "agent_idle", idle.Code())
	})
}

func TestAStreamMayHaveToSendItsFirstBytesInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		say := make(chan string)
		c := serve(t, httpsse.Config{StartTimeout: time.Minute, Prompt: true}, func(w http.ResponseWriter, r *http.Request) {
			events(w, "")
			select {
			case text := <-say:
				events(w, text)
				time.Sleep(time.Hour) // only the beginning is limited
				events(w, "data: y\n\n")
			case <-r.Context().Done():
			}
		})
		s, err := c.Stream(t.Context(), http.MethodGet, "/x", nil, "")
		require.NoError(t, err)
		began := time.Now()
		for _, err := range s.All() {
			require.ErrorContains(t, err, "sent nothing for 1m0s. See the server's log, or set a longer start timeout")
		}
		require.Equal(t, time.Minute, time.Since(began))
		s.Close()
		s, err = c.Stream(t.Context(), http.MethodGet, "/x", nil, "")
		require.NoError(t, err)
		defer s.Close()
		say <- "data: x\n\n"
		n := 0
		for _, err := range s.All() {
			require.NoError(t, err)
			n++
		}
		require.Equal(t, 2, n)
	})
}

func TestAStreamThatBreaksOffIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{}, func(w http.ResponseWriter, _ *http.Request) {
			events(w, "data: x\n\ndata: half")
			conn, _, _ := http.NewResponseController(w).Hijack()
			_ = conn.Close()
		})
		s, err := c.Stream(t.Context(), http.MethodGet, "/x", nil, "")
		require.NoError(t, err)
		defer s.Close()
		var got []string
		var failed error
		for e, err := range s.All() {
			got, failed = append(got, e.Data), err
		}
		require.Equal(t, "x", got[0])
		var broken *httpsse.UnreachableError
		require.ErrorAs(t, failed, &broken)
		require.EqualError(t, failed, "the response from "+c.URL()+"/x was interrupted: unexpected EOF. See the server's log")
	})
}

func TestAStreamEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := serve(t, httpsse.Config{}, func(w http.ResponseWriter, r *http.Request) {
			events(w, "data: x\n\n")
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s, err := c.Stream(ctx, http.MethodGet, "/x", nil, "")
		require.NoError(t, err)
		defer s.Close()
		var failed error
		for _, err := range s.All() {
			failed = err
			cancel()
		}
		require.ErrorIs(t, failed, context.Canceled)
	})
}
