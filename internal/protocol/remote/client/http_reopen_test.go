package client_test

import (
	"bufio"
	"context"
	"fmt"
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
