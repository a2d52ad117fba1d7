package dialect_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
)

// parts is a [dialect.Waiter] that returns one part for each read.
type parts struct {
	left  []string
	reads int
}

func (p *parts) Readable() bool { return true }

func (p *parts) Read(into []byte) (int, error) {
	p.reads++
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(into, p.left[0])
	if p.left[0] = p.left[0][n:]; p.left[0] == "" {
		p.left = p.left[1:]
	}
	return n, nil
}

func TestABatchIsReadByItsReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &parts{left: []string{"a\nb\nha", "lf\n", "dropped\nla", "st"}}
		out, ended := start(t.Context(), r)
		synctest.Wait()
		require.Zero(t, r.reads, "nobody has time for it")
		var got [][]string
		for n := 0; ; n++ {
			var b agent.Batch
			select {
			case b = <-out:
			case err := <-ended:
				require.NoError(t, err)
				require.Equal(t, [][]string{{"a", "b"}, {"half"}, nil, nil, {"last"}}, got)
				return
			}
			var lines []string
			if n != 2 { // the second batch is dropped unread
				for e := range b.Events() {
					lines = append(lines, text(e))
				}
			}
			b.Release()
			require.Equal(t, n+1, r.reads)
			got = append(got, lines)
		}
	})
}

// A batch that was taken but never read must neither block the end nor be read
// later.
func TestCancellingTheContextEndsTheWaitForAReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &parts{left: []string{"a\n"}}
		out, ended := start(ctx, r)
		b := <-out
		synctest.Wait()
		require.Empty(t, ended, "it waits")
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		for range b.Events() {
			t.Error("it was given up")
		}
		b.Release()
		require.Zero(t, r.reads)
	})
}

// Lines longer than any on-demand buffer are read ahead, and so are all lines of
// a stream that fills the buffers.
func TestLongLinesOfAWaiterAreWhole(t *testing.T) {
	var want []string
	for _, size := range []int{1, 4 << 10, 40 << 10, 64 << 10, 200 << 10, 1 << 20, 3} {
		want = append(want, strings.Repeat("x", size))
	}
	for _, step := range []int{1 << 10, 64 << 10, 4 << 20} {
		r := &parts{}
		for rest := strings.Join(want, "\n"); rest != ""; {
			n := min(step, len(rest))
			r.left = append(r.left, rest[:n])
			rest = rest[n:]
		}
		var got []string
		err := dialect.Each(t.Context(), r, plainDecoder{}, discard(), func(b agent.Batch) bool {
			for e := range b.Events() {
				got = append(got, text(e))
			}
			b.Release()
			return true
		})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
