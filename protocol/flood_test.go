package protocol_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

// counted is how many responses may be pending before reading waits too.
const counted = 4 << 10

// A tally answers each request and counts the requests for other goroutines.
type tally struct{ n atomic.Int64 }

func (h *tally) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) {
	_ = c.Reply(ctx, r.ID, r.Method)
	h.n.Add(1)
}

func TestRequestsOfAPeerThatDoesNotReadAreNotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 3 * counted
		var in strings.Builder
		var want []string
		for i := range n {
			fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"m"}`+"\n", i)
			want = append(want, answer(strconv.Itoa(i), "m"))
		}
		out := newStuck()
		s := protocol.NewStream(strings.NewReader(in.String()), out, nil, silent)
		s.OnEOF = func() { s.Drain(patience) }
		h := new(tally)
		jsonrpc2.NewConn(context.Background(), s, h, jsonrpc2.SetLogger(discard{}))
		synctest.Wait()
		require.Equal(t, int64(counted), h.n.Load())
		close(out.release)
		require.Equal(t, want, out.lines())
	})
}

func TestABlockedReadEndsWithTheStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := newStuck()
		s := protocol.NewStream(strings.NewReader(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"m"}`+"\n", 2*counted)), out, nil, silent)
		h := new(tally)
		conn := jsonrpc2.NewConn(context.Background(), s, h, jsonrpc2.SetLogger(discard{}))
		synctest.Wait()
		require.NoError(t, conn.Close()) // goleak finds a reader that still waits
	})
}
