package client_test

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// answering sends an update of the session before each response.
func answering(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m, err := remote.Parse(lines.Bytes())
		if err != nil {
			return
		}
		_, _ = fmt.Fprintf(c, `{"method":"session/update","params":{"sessionId":%q,"of":%s}}`+"\n", m.Session, m.AppendID(nil))
		_, _ = fmt.Fprintf(c, `{"id":%s,"result":{}}`+"\n", m.AppendID(nil))
	}
}

// A closed session may be opened again on the same connection, even if the server has
// forgotten its stream.
func TestAClosedSessionIsOpenedAgainOverHTTP(t *testing.T) {
	for name, limits := range map[string]server.Limits{"remembered": {}, "forgotten": {Streams: 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := flaky.Calm(t, limits, nil, greeting(answering))
				c, lines := request(t, s, client.Resume{})
				id := 1
				for _, session := range []string{"a", "b", "a", "a"} {
					for _, method := range []string{"session/load", "session/prompt", "session/close"} {
						id++
						_, err := fmt.Fprintf(c, `{"id":%d,"method":%q,"params":{"sessionId":%q}}`+"\n", id, method, session)
						require.NoError(t, err)
						require.True(t, lines.Scan(), "%s: %v", method, c.Err())
						require.Equal(t, fmt.Sprintf(`{"method":"session/update","params":{"sessionId":%q,"of":%d}}`, session, id), lines.Text())
						require.True(t, lines.Scan(), "%s: %v", method, c.Err())
						require.Equal(t, fmt.Sprintf(`{"id":%d,"result":{}}`, id), lines.Text())
						synctest.Wait()
					}
				}
			})
		})
	}
}

// The response to a request may follow the one that says that the session is closed.
func TestARequestIsAnsweredAfterItsSessionIsClosedOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, greeting(func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			var late []byte // the id of the first request
			for lines := bufio.NewScanner(c); lines.Scan(); {
				m, err := remote.Parse(lines.Bytes())
				if err != nil {
					return
				}
				if late == nil {
					late = m.AppendID(nil)
					continue
				}
				_, _ = fmt.Fprintf(c, `{"id":%s,"result":{}}`+"\n", m.AppendID(nil))
				time.Sleep(time.Second)
				_, _ = fmt.Fprintf(c, `{"id":%s,"result":{}}`+"\n", late)
			}
		}))
		c, lines := request(t, s, client.Resume{})
		for id := 2; id <= 3; id++ {
			_, err := fmt.Fprintf(c, `{"id":%d,"method":"session/delete","params":{"sessionId":"a"}}`+"\n", id)
			require.NoError(t, err)
		}
		for _, id := range []int{3, 2} {
			require.True(t, lines.Scan(), "%v", c.Err())
			require.Equal(t, fmt.Sprintf(`{"id":%d,"result":{}}`, id), lines.Text())
		}
	})
}

// A stream that nothing more can arrive on is not kept: the server limits their number.
func TestNoStreamIsKeptForASessionThatIsNotOpenOverHTTP(t *testing.T) {
	for name, lines := range map[string][]string{
		"answer after the close": {
			`{"id":2,"method":"session/load","params":{"sessionId":"a"}}`, `{"id":3,"method":"session/close","params":{"sessionId":"a"}}`,
			`{"id":"q2","result":{}}`,
		},
		"notification after the close": {
			`{"id":2,"method":"session/load","params":{"sessionId":"a"}}`, `{"id":3,"method":"session/close","params":{"sessionId":"a"}}`,
			`{"method":"session/cancel","params":{"sessionId":"a"}}`,
		},
		"request after the close": {
			`{"id":2,"method":"session/load","params":{"sessionId":"a"}}`, `{"id":3,"method":"session/close","params":{"sessionId":"a"}}`,
			`{"id":4,"method":"session/fail","params":{"sessionId":"a"}}`,
		},
		"failed load": {`{"id":2,"method":"session/fail","params":{"sessionId":"a"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := flaky.Calm(t, server.Limits{Streams: 1}, nil, greeting(asking))
				c, heard := request(t, s, client.Resume{})
				time.AfterFunc(time.Hour, func() { _ = c.Close() })
				say := func(line string) {
					_, err := fmt.Fprintln(c, line)
					require.NoError(t, err)
					m, err := remote.Parse([]byte(line))
					require.NoError(t, err)
					for last := !m.IsRequest(); !last; last = strings.HasPrefix(heard.Text(), fmt.Sprintf(`{"id":%s,`, m.AppendID(nil))) {
						require.True(t, heard.Scan(), "%s: %v", line, c.Err())
					}
					synctest.Wait()
				}
				for _, line := range lines {
					say(line)
				}
				say(`{"id":9,"method":"session/load","params":{"sessionId":"b"}}`)
			})
		})
	}
}

// asking sends a request in the session before each response. The method session/fail fails.
func asking(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m, err := remote.Parse(lines.Bytes())
		if err != nil || !m.IsRequest() {
			continue
		}
		if m.Method == "session/fail" {
			_, _ = fmt.Fprintf(c, `{"id":%s,"error":{"code":-32002,"message":"Resource not found"}}`+"\n", m.AppendID(nil))
			continue
		}
		_, _ = fmt.Fprintf(c, `{"id":"q%s","method":"ask","params":{"sessionId":%q}}`+"\n", m.AppendID(nil), m.Session)
		_, _ = fmt.Fprintf(c, `{"id":%s,"result":{}}`+"\n", m.AppendID(nil))
	}
}
