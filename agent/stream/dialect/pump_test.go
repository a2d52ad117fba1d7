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

// endless returns lines without end, one buffer full of complete lines for
// each read, and counts the reads.
type endless struct {
	reads int
	bytes int
	given map[*byte]bool // buffers passed to Read
}

func (r *endless) Read(p []byte) (int, error) {
	r.reads++
	if r.given == nil {
		r.given = make(map[*byte]bool)
	}
	r.given[&p[0]] = true
	n := copy(p, strings.Repeat("0123456\n", len(p)/8))
	r.bytes += n
	return n, nil
}

// start pumps in a synctest bubble, where synctest.Wait returns once
// everything is blocked. A leaked goroutine fails the test.
func start(ctx context.Context, r io.Reader) (out chan agent.Batch, ended chan error) {
	out, ended = make(chan agent.Batch), make(chan error, 1)
	go func() { ended <- dialect.Pump(ctx, r, plainDecoder{}, discard(), out) }()
	return out, ended
}

func TestAStoppedReceiverStopsTheReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &endless{}
		out, ended := start(ctx, r)
		synctest.Wait()
		require.Equal(t, 1, r.reads, "nobody receives: one buffer is full")

		first := <-out
		synctest.Wait()
		require.Equal(t, 2, r.reads, "the next is read while the first is worked on")

		second := <-out
		synctest.Wait()
		require.Equal(t, 2, r.reads, "there is no third buffer")

		first.Release()
		synctest.Wait()
		require.Equal(t, 3, r.reads)
		for e := range second.Events() {
			require.Equal(t, "0123456", text(e), "the second batch is not touched by the third")
		}
		second.Release()

		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
	})
}

func TestAPumpReusesTwoBuffers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		r := &endless{}
		out, ended := start(ctx, r)
		for range 1000 {
			(<-out).Release()
		}
		cancel()
		require.ErrorIs(t, <-ended, context.Canceled)
		require.LessOrEqual(t, len(r.given), 4, "two small ones at first, and two large ones")
		require.GreaterOrEqual(t, r.bytes, 900*32<<10)
	})
}

func TestBuffersGrownForLongLinesAreReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &capacities{rest: strings.NewReader(strings.Repeat("x", 8<<20) + "\n" + strings.Repeat("short\n", 400<<10))}
		out, ended := start(t.Context(), r)
		var err error
		for going := true; going; {
			select {
			case b := <-out:
				b.Release()
			case err = <-ended:
				going = false
			}
		}
		require.NoError(t, err)
		require.Greater(t, r.most, 4<<20)
		require.LessOrEqual(t, r.last, 64<<10, "what is read at the end")
	})
}

// capacities records the buffer capacity of each read.
type capacities struct {
	rest       io.Reader
	most, last int
}

func (c *capacities) Read(p []byte) (int, error) {
	c.most, c.last = max(c.most, len(p)), len(p)
	return c.rest.Read(p)
}

func TestCancellingTheContextEndsAPumpWithoutAReceiver(t *testing.T) {
	for received := range 3 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			out, ended := start(ctx, &endless{})
			for range received {
				<-out // and never released
			}
			synctest.Wait()
			require.Empty(t, ended, "it waits")
			cancel()
			require.ErrorIs(t, <-ended, context.Canceled)
		})
	}
}

func TestClosingTheReaderEndsAPumpThatReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		out, ended := start(t.Context(), r)
		go func() { _, _ = w.Write([]byte("a\nhalf")) }()
		first := <-out
		var got []string
		for e := range first.Events() {
			got = append(got, text(e))
		}
		require.Equal(t, []string{"a"}, got, "a whole line does not wait for the next")
		first.Release()
		require.NoError(t, r.Close())
		last := <-out
		for e := range last.Events() {
			got = append(got, text(e))
		}
		require.Equal(t, []string{"a", "half"}, got)
		last.Release()
		require.ErrorIs(t, <-ended, io.ErrClosedPipe)
	})
}

func TestDroppingABatchHalfwayLosesOnlyThatBatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		out, ended := start(t.Context(), r)
		go func() {
			_, _ = w.Write([]byte("a\nb\nc\n"))
			_, _ = w.Write([]byte("d\n"))
			_ = w.Close()
		}()
		b := <-out
		for e := range b.Events() {
			require.Equal(t, "a", text(e))
			break
		}
		b.Release()
		b = <-out
		for e := range b.Events() {
			require.Equal(t, "d", text(e))
		}
		b.Release()
		require.NoError(t, <-ended)
	})
}

func TestEachEndsWhenItsBatchesAreRefused(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	taken := 0
	err := dialect.Each(ctx, &endless{}, plainDecoder{}, discard(), func(b agent.Batch) bool {
		b.Release()
		if taken++; taken == 3 {
			cancel()
			return false
		}
		return true
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, taken)
}
