package client_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// A server can't see that the network of a client over HTTP is dead, except that the client's
// heartbeats are missing.
func TestAServerNoticesADeadClientOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conn atomic.Pointer[server.Conn]
		s := flaky.Calm(t, server.Limits{}, nil, greeting(func(ctx context.Context, c *server.Conn) {
			conn.Store(c)
			echo(ctx, c)
		}))
		request(t, s, client.Resume{})
		time.Sleep(time.Minute)
		require.False(t, conn.Load().Away())
		s.Proxy.Refuse(true)
		s.Proxy.BlackHole()
		time.Sleep(20 * time.Second)
		require.True(t, conn.Load().Away())
		s.Proxy.Refuse(false)
		time.Sleep(20 * time.Second)
		require.False(t, conn.Load().Away(), "it is back")
	})
}
