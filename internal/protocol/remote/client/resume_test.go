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

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// dialSite connects to a site.
func dialSite(t *testing.T, s *flaky.Site, r client.Resume) *client.Conn {
	t.Helper()
	config := s.Config()
	config.Resume = &r
	return dial(t, config)
}

// counted serves numbered lines: it sends lines 1 to n, one after each pause, and returns
// an error for a line of the client that is missing, repeated or out of order.
func counted(n int, pause time.Duration, done func(err error)) func(context.Context, *server.Conn) {
	return func(ctx context.Context, c *server.Conn) {
		defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
		var work sync.WaitGroup
		defer work.Wait()
		work.Go(func() {
			for i := range n {
				time.Sleep(pause)
				if _, err := fmt.Fprintf(c, `{"update":%d,"text":%q}`+"\n", i+1, strings.Repeat("x", i%3000)); err != nil {
					return
				}
			}
		})
		done(inOrder(bufio.NewScanner(c), n))
	}
}

// inOrder reads lines with the numbers 1 to n.
func inOrder(lines *bufio.Scanner, n int) error {
	for i := range n {
		if !lines.Scan() {
			return fmt.Errorf("the connection ended after line %d of %d: %v", i, n, lines.Err())
		}
		if want := fmt.Sprintf(`":%d,`, i+1); !strings.Contains(lines.Text(), want) {
			return fmt.Errorf("line %d is %.60s", i+1, lines.Text())
		}
	}
	return nil
}

func TestNothingIsLostOrRepeatedOnABadNetwork(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const clients, lines = 10, 200
				arrived := make(chan error, clients)
				s := flaky.Open(t, seed, server.Limits{}, nil, counted(lines, 400*time.Millisecond, func(err error) { arrived <- err }))
				var work sync.WaitGroup
				for range clients {
					work.Go(func() {
						c := dialSite(t, s, client.Resume{Await: true})
						work.Go(func() {
							for i := range lines {
								time.Sleep(300 * time.Millisecond)
								if _, err := fmt.Fprintf(c, `{"message":%d,"text":""}`+"\n", i+1); err != nil {
									return
								}
							}
						})
						if err := inOrder(bufio.NewScanner(c), lines); err != nil {
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

// events records what a connection reports.
type events struct {
	mu  sync.Mutex
	all []string
}

func (e *events) add(name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, name)
}

func (e *events) list() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.all...)
}

func (e *events) resume() client.Resume {
	return client.Resume{Lost: func(error) { e.add("lost") }, Back: func() { e.add("back") }}
}

// echo sends each line back.
func echo(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		if _, err := fmt.Fprintln(c, lines.Text()); err != nil {
			return
		}
	}
}

func TestALostWebSocketIsReportedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, echo)
		var seen events
		c := dialSite(t, s, seen.resume())
		next := talk(c)
		_, err := fmt.Fprintln(c, `{"n":1}`)
		require.NoError(t, err)
		require.Equal(t, `{"n":1}`, next())
		require.Empty(t, seen.list())
		s.Proxy.Cut()
		_, err = fmt.Fprintln(c, `{"n":2}`)
		require.NoError(t, err)
		require.Equal(t, `{"n":2}`, next())
		require.Equal(t, []string{"lost", "back"}, seen.list())
	})
}

func TestADeadNetworkIsNoticedWithinTenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, echo)
		var seen events
		dialSite(t, s, seen.resume())
		time.Sleep(time.Hour) // an idle connection stays
		require.Empty(t, seen.list())
		s.Proxy.BlackHole()
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Equal(t, []string{"lost", "back"}, seen.list())
	})
}

func TestARestartedServerIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, echo)
		var seen events
		c := dialSite(t, s, seen.resume())
		synctest.Wait()
		s.Crash(server.Limits{})
		time.Sleep(2 * time.Second)
		<-c.Done()
		reset, ok := errors.AsType[*client.ResetError](c.Err())
		require.True(t, ok, "%v", c.Err())
		require.True(t, reset.Restarted)
		require.Equal(t, []string{"lost"}, seen.list())
	})
}

func TestAClientMayReturnWhileItsConnectionIsKept(t *testing.T) {
	for away, comesBack := range map[time.Duration]bool{9 * time.Minute: true, 11 * time.Minute: false} {
		synctest.Test(t, func(t *testing.T) {
			s := flaky.Calm(t, server.Limits{}, nil, echo)
			var seen events
			c := dialSite(t, s, seen.resume())
			synctest.Wait()
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
		})
	}
}

// revocable accepts a token until it is revoked.
type revocable struct {
	mu      sync.Mutex
	revoked bool
}

func (r *revocable) Find(token string) (string, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return "n", token == "right" && !r.revoked
}

func (r *revocable) revoke() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.revoked = true
}

func TestRevokingATokenEndsConnectionsOfAbsentClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var token revocable
		ended := make(chan struct{})
		s := flaky.Calm(t, server.Limits{}, &token, func(ctx context.Context, c *server.Conn) {
			echo(ctx, c)
			close(ended)
		})
		c := dialSite(t, s, client.Resume{})
		synctest.Wait()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		token.revoke()
		time.Sleep(20 * time.Second)
		<-ended
		s.Proxy.Refuse(false)
		<-c.Done()
		require.ErrorContains(t, c.Err(), "401")
	})
}

func TestRevokingATokenEndsAPresentClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var token revocable
		s := flaky.Calm(t, server.Limits{}, &token, echo)
		c := dialSite(t, s, client.Resume{})
		synctest.Wait()
		token.revoke()
		<-c.Done()
		require.ErrorContains(t, c.Err(), "the token is no longer valid")
	})
}

func TestTheConnectionsOfAbsentClientsAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{}, 10)
		s := flaky.Calm(t, server.Limits{Away: 3}, nil, func(ctx context.Context, c *server.Conn) {
			echo(ctx, c)
			ended <- struct{}{}
		})
		for range 5 {
			dialSite(t, s, client.Resume{})
			synctest.Wait()
		}
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		require.Len(t, ended, 2)
		s.Proxy.Refuse(false)
	})
}

func TestAbsentClientsDoNotCountAsConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{Conns: 1}, nil, echo)
		gone := dialSite(t, s, client.Resume{})
		synctest.Wait()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		s.Proxy.Refuse(false)
		_ = gone.Close() // it is not told
		c := dialSite(t, s, client.Resume{})
		next := talk(c)
		_, err := fmt.Fprintln(c, `{"n":1}`)
		require.NoError(t, err)
		require.Equal(t, `{"n":1}`, next())
	})
}

func TestAClosedConnectionIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := make(chan string, 1)
		s := flaky.Calm(t, server.Limits{}, nil, func(_ context.Context, c *server.Conn) {
			text, _ := io.ReadAll(c)
			got <- string(text)
		})
		c := dialSite(t, s, client.Resume{})
		synctest.Wait()
		_, err := fmt.Fprint(c, "{\"n\":1}\n{\"n\":2}\n")
		require.NoError(t, err)
		_ = c.Close()
		<-c.Done()
		require.NoError(t, c.Err())
		require.Equal(t, "{\"n\":1}\n{\"n\":2}\n", <-got)
	})
}

func TestPatienceWithALostServerIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, echo)
		c := dialSite(t, s, client.Resume{Patience: time.Minute})
		synctest.Wait()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		<-c.Done()
		require.ErrorContains(t, c.Err(), "could not be reached again for 1m0s")
		s.Proxy.Refuse(false)
	})
}

func TestAMessageThatDidNotArriveCanBeAmended(t *testing.T) {
	for _, arrived := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			got := make(chan string, 2)
			s := flaky.Calm(t, server.Limits{}, nil, func(_ context.Context, c *server.Conn) {
				for lines := bufio.NewScanner(c); lines.Scan(); {
					got <- lines.Text()
				}
			})
			c := dialSite(t, s, client.Resume{})
			synctest.Wait()
			if !arrived {
				s.Proxy.Refuse(true)
				s.Proxy.Cut()
				synctest.Wait()
			}
			_, err := fmt.Fprintln(c, `{"answer":"allow"}`)
			require.NoError(t, err)
			synctest.Wait()
			c.Amend(func([]byte) []byte { return []byte(`{"answer":"cancelled"}`) })
			s.Proxy.Refuse(false)
			s.Proxy.Cut()
			want := `{"answer":"cancelled"}`
			if arrived {
				want = `{"answer":"allow"}`
			}
			require.Equal(t, want, <-got)
			time.Sleep(time.Minute)
			require.Empty(t, got)
		})
	}
}

func TestAServerWithoutResumptionIsUsedWithoutIt(t *testing.T) {
	for _, agrees := range []bool{false, true} { // some servers agree to any subprotocol
		over := make(chan struct{})
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var options websocket.AcceptOptions
			if agrees {
				options.Subprotocols = []string{r.Header.Get("Sec-WebSocket-Protocol")}
			}
			ws, err := websocket.Accept(w, r, &options)
			if err != nil {
				return
			}
			defer ws.CloseNow() //nolint:errcheck // the test is over
			kind, text, _ := ws.Read(r.Context())
			_ = ws.Write(r.Context(), kind, text)
			<-over
		}))
		c := dial(t, client.Config{URL: strings.Replace(web.URL, "http", "ws", 1), Resume: &client.Resume{}})
		next := talk(c)
		_, err := fmt.Fprintln(c, hello)
		require.NoError(t, err)
		require.JSONEq(t, hello, next())
		close(over)
		require.Equal(t, "EOF", next())
		require.ErrorContains(t, c.Err(), "lost the connection to "+strings.Replace(web.URL, "http", "ws", 1))
		web.Close()
	}
}
