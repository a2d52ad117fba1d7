package client_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// request connects to a site by HTTP, and initializes the connection.
func request(t *testing.T, s *flaky.Site, r client.Resume) (*client.Conn, *bufio.Scanner) {
	t.Helper()
	config := s.Config()
	config.URL, config.Resume = "http://localhost/acp", &r
	c := dial(t, config)
	lines := bufio.NewScanner(c)
	_, err := fmt.Fprintln(c, hello)
	require.NoError(t, err)
	require.True(t, lines.Scan(), "%v", c.Err())
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"loadSession":true}}}`, lines.Text())
	return c, lines
}

// greeting answers "initialize", and then serves with next.
func greeting(next func(context.Context, *server.Conn)) func(context.Context, *server.Conn) {
	return func(ctx context.Context, c *server.Conn) {
		if !bufio.NewScanner(&oneLine{c}).Scan() {
			return
		}
		if _, err := fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"loadSession":true}}}`); err != nil {
			return
		}
		next(ctx, c)
	}
}

// A oneLine reads single bytes, so that a scanner leaves the rest of its input alone.
type oneLine struct{ io.Reader }

func (o *oneLine) Read(p []byte) (int, error) { return o.Reader.Read(p[:min(len(p), 1)]) }

func TestNothingIsLostOrRepeatedOnABadNetworkOverHTTP(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const clients, lines = 5, 150
				arrived := make(chan error, clients)
				s := flaky.Open(t, seed, server.Limits{}, nil, greeting(counted(lines, 400*time.Millisecond, func(err error) { arrived <- err })))
				var work sync.WaitGroup
				for range clients {
					work.Go(func() {
						c, scanner := request(t, s, client.Resume{Await: true})
						work.Go(func() {
							for i := range lines {
								time.Sleep(300 * time.Millisecond)
								if _, err := fmt.Fprintf(c, `{"method":"m","message":%d,"text":""}`+"\n", i+1); err != nil {
									return
								}
							}
						})
						if err := inOrder(scanner, lines); err != nil {
							t.Errorf("%v; the connection's end: %v", err, c.Err())
						}
					})
				}
				work.Wait()
				for range clients {
					require.NoError(t, <-arrived)
				}
				require.Greater(t, s.Proxy.Broken(), clients, "nothing was tested")
				s.Proxy.Calm()
			})
		})
	}
}

func TestALostStreamIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, greeting(echo))
		var seen events
		c, lines := request(t, s, seen.resume())
		say := func(text string) {
			_, err := fmt.Fprintln(c, text)
			require.NoError(t, err)
		}
		// A stream that ends now and then is opened again, without a word.
		s.Proxy.Cut()
		say(`{"method":"n1","params":{"sessionId":"s"}}`)
		require.True(t, lines.Scan())
		require.Equal(t, `{"method":"n1","params":{"sessionId":"s"}}`, lines.Text())
		require.Empty(t, seen.list())

		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		say(`{"method":"n2","params":{"sessionId":"s"}}`)
		time.Sleep(time.Minute)
		require.Equal(t, []string{"lost"}, seen.list())
		s.Proxy.Refuse(false)
		require.True(t, lines.Scan())
		require.Equal(t, `{"method":"n2","params":{"sessionId":"s"}}`, lines.Text())
		time.Sleep(time.Minute)
		require.Equal(t, []string{"lost", "back"}, seen.list())
	})
}

func TestADeadNetworkIsNoticedWithinTenSecondsOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, greeting(echo))
		var seen events
		c, lines := request(t, s, seen.resume())
		time.Sleep(time.Hour) // an idle connection stays
		require.Empty(t, seen.list())
		s.Proxy.BlackHole()
		_, err := fmt.Fprintln(c, `{"method":"n"}`)
		require.NoError(t, err)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{"lost", "back"}, seen.list())
		require.True(t, lines.Scan())
		require.Equal(t, `{"method":"n"}`, lines.Text())
	})
}

func TestARestartedServerIsToldOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, greeting(echo))
		c, _ := request(t, s, client.Resume{})
		s.Crash(server.Limits{})
		<-c.Done()
		reset, ok := errors.AsType[*client.ResetError](c.Err())
		require.True(t, ok, "%v", c.Err())
		require.True(t, reset.Restarted)
	})
}

func TestAClientMayReturnWhileItsConnectionIsKeptOverHTTP(t *testing.T) {
	for away, comesBack := range map[time.Duration]bool{9 * time.Minute: true, 11 * time.Minute: false} {
		synctest.Test(t, func(t *testing.T) {
			s := flaky.Calm(t, server.Limits{}, nil, greeting(echo))
			var seen events
			c, _ := request(t, s, seen.resume())
			s.Proxy.Refuse(true)
			s.Proxy.Cut()
			time.Sleep(away)
			s.Proxy.Refuse(false)
			time.Sleep(10 * time.Second)
			if comesBack {
				require.Equal(t, []string{"lost", "back"}, seen.list())
				return
			}
			<-c.Done()
			reset, ok := errors.AsType[*client.ResetError](c.Err())
			require.True(t, ok, "%v", c.Err())
			require.False(t, reset.Restarted)
			require.Equal(t, []string{"lost"}, seen.list())
		})
	}
}

// A client that missed events which the server no longer has doesn't go on without them.
func TestAClientThatMissedTooMuchIsReset(t *testing.T) {
	event := func(n int) string { return fmt.Sprintf("id: %d\ndata: {\"method\":\"n%d\"}\n\n", n, n) }
	for name, c := range map[string]struct {
		streams []string // what each request for the stream gets; "" is a conflict
		heard   []string
	}{
		"the server says so":       {[]string{event(1), ""}, []string{`{"method":"n1"}`}},
		"an event is left out":     {[]string{event(1) + event(3)}, []string{`{"method":"n1"}`}},
		"the first is left out":    {[]string{event(2)}, nil},
		"an event is repeated":     {[]string{event(1), event(1) + event(2), ""}, []string{`{"method":"n1"}`, `{"method":"n2"}`}},
		"the server has no stream": {[]string{"", event(1), ""}, []string{`{"method":"n1"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			streams, after := c.streams, make(chan string, 10)
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.Method {
				case http.MethodHead:
					w.WriteHeader(http.StatusNoContent)
					return
				case http.MethodPost:
					w.Header().Set(remote.HeaderConnection, "c")
					w.Header().Set(remote.HeaderInstance, "i")
					w.Header().Set("Content-Type", remote.TypeJSON)
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"transport":{"resumable":{}}}}}`)
					return
				}
				after <- r.Header.Get(remote.HeaderLastEvent)
				text := streams[0]
				if streams = streams[1:]; text == "" {
					w.WriteHeader(http.StatusConflict)
					return
				}
				w.Header().Set("Content-Type", remote.TypeEvents)
				_, _ = io.WriteString(w, text)
			}))
			defer web.Close()
			conn := dial(t, client.Config{URL: web.URL, Resume: &client.Resume{}})
			_, err := fmt.Fprintln(conn, hello)
			require.NoError(t, err)
			lines := bufio.NewScanner(conn)
			require.True(t, lines.Scan())
			require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, lines.Text())
			var heard []string
			for lines.Scan() {
				heard = append(heard, lines.Text())
			}
			require.Equal(t, c.heard, heard)
			_, reset := errors.AsType[*client.ResetError](conn.Err())
			require.True(t, reset, "%v", conn.Err())
			require.Empty(t, <-after, "the first request is for a new stream")
		})
	}
}

func TestRevokingATokenEndsAClientOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var token revocable
		s := flaky.Calm(t, server.Limits{}, &token, greeting(echo))
		c, _ := request(t, s, client.Resume{})
		token.revoke()
		<-c.Done()
		require.ErrorContains(t, c.Err(), "401")
	})
}

func TestPatienceWithALostServerIsBoundedOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, greeting(echo))
		c, _ := request(t, s, client.Resume{Patience: time.Minute})
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		<-c.Done()
		require.ErrorContains(t, c.Err(), "could not be reached again for 1m0s")
		s.Proxy.Refuse(false)
	})
}

func TestAMessageThatDidNotArriveCanBeAmendedOverHTTP(t *testing.T) {
	for _, arrived := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan string, 2)
			s := flaky.Calm(t, server.Limits{}, nil, greeting(func(_ context.Context, c *server.Conn) {
				for lines := bufio.NewScanner(c); lines.Scan(); {
					got <- lines.Text()
				}
			}))
			c, _ := request(t, s, client.Resume{})
			if !arrived {
				s.Proxy.Refuse(true)
				s.Proxy.Cut()
				synctest.Wait()
			}
			_, err := fmt.Fprintln(c, `{"id":7,"result":"allow"}`)
			require.NoError(t, err)
			synctest.Wait()
			require.Equal(t, arrived, len(c.Unsent()) == 0 && len(got) == 1)
			c.Amend(func([]byte) []byte { return []byte(`{"id":7,"result":"cancelled"}`) })
			s.Proxy.Refuse(false)
			s.Proxy.Cut()
			want := `{"id":7,"result":"cancelled"}`
			if arrived {
				want = `{"id":7,"result":"allow"}`
			}
			require.Equal(t, want, <-got)
			time.Sleep(time.Minute)
			require.Empty(t, got)
		})
	}
}

func TestAClosedConnectionDeliversWhatIsQueuedOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 1)
		s := flaky.Calm(t, server.Limits{}, nil, greeting(func(_ context.Context, c *server.Conn) {
			text, _ := io.ReadAll(c)
			got <- string(text)
		}))
		c, _ := request(t, s, client.Resume{})
		_, err := fmt.Fprint(c, "{\"method\":\"a\"}\n{\"method\":\"b\"}\n")
		require.NoError(t, err)
		_ = c.Close()
		<-c.Done()
		require.NoError(t, c.Err())
		require.Equal(t, "{\"method\":\"a\"}\n{\"method\":\"b\"}\n", <-got)
	})
}

// What the transport adds to messages is taken out again.
func TestMessagesAreTheSameAsWithoutResumption(t *testing.T) {
	said := []string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","n":1.0}}`,
		`{"jsonrpc":"2.0","id":"p","method":"ask","params":{"sessionId":"s","_meta":{"a":"b"}}}`,
		`{"jsonrpc":"2.0","id":5,"result":{"a":1}}`,
		`{"jsonrpc":"2.0","id":5,"result":null}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"acp/cursor"}}`,
	}
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan string, 1)
		s := flaky.Calm(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			lines := bufio.NewScanner(c)
			lines.Scan()
			asked <- lines.Text()
			fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"agentCapabilities":{"loadSession":true}}}`)
			for lines.Scan() {
				fmt.Fprintln(c, strings.Join(said, "\n"))
			}
		})
		c, lines := request(t, s, client.Resume{})
		require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientCapabilities":{"transport":{"resumable":{}}}}}`, <-asked)
		_, err := fmt.Fprintln(c, `{"jsonrpc":"2.0","method":"go","params":{"sessionId":"s"}}`)
		require.NoError(t, err)
		var heard []string
		for range said {
			require.True(t, lines.Scan())
			heard = append(heard, lines.Text())
		}
		require.ElementsMatch(t, said, heard)
	})
}

// A server that offers nothing gets no numbers, and a stream that ends is the end. The
// same is true for another program's offer: it may accept a repeated message twice.
func TestAServerWithoutResumptionOverHTTP(t *testing.T) {
	for _, result := range []string{"{}", `{"agentCapabilities":{"transport":{"resumable":{"retentionMessages":10}}}}`} {
		withoutResumption(t, result)
	}
}

func withoutResumption(t *testing.T, result string) {
	t.Helper()
	numbers, end := make(chan string, 1), make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(text), "initialize"):
			w.Header().Set(remote.HeaderConnection, "c")
			w.Header().Set("Content-Type", remote.TypeJSON)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", remote.TypeEvents)
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-end
		case r.Method == http.MethodPost:
			numbers <- r.Header.Get(remote.HeaderOperation)
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer web.Close()
	c := dial(t, client.Config{URL: web.URL, Resume: &client.Resume{}})
	next := talk(c)
	_, err := fmt.Fprintln(c, hello)
	require.NoError(t, err)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, next())
	_, err = fmt.Fprintln(c, `{"method":"n"}`)
	require.NoError(t, err)
	require.Empty(t, <-numbers)
	close(end)
	require.Equal(t, "EOF", next())
	requireClosed(t, c)
	_, reset := errors.AsType[*client.ResetError](c.Err())
	require.False(t, reset, "%v", c.Err())
	require.ErrorContains(t, c.Err(), "the server closed it")
}
