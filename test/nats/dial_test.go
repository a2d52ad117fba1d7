package nats

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	nats "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// tunnels opens a tunnel between two stores on a server, and returns its ends.
func tunnels(t *testing.T, url string) (near, far *natsstore.Tunnel) {
	t.Helper()
	return tunnelsOf(t, natsstore.Config{URL: url})
}

func tunnelsOf(t *testing.T, cfg natsstore.Config) (near, far *natsstore.Tunnel) {
	t.Helper()
	cfg.Owner = "a"
	a := openStore(t, cfg)
	cfg.Owner = "b"
	b := openStore(t, cfg)
	came := make(chan *natsstore.Tunnel, 1)
	require.NoError(t, a.Accept(func(service string) func(context.Context, *natsstore.Tunnel) {
		if service != "tea" {
			return nil
		}
		return func(ctx context.Context, far *natsstore.Tunnel) {
			came <- far
			<-ctx.Done() // the test closes it
		}
	}))
	j, err := a.Create(journal.Header{ID: "s", Cwd: "/"})
	require.NoError(t, err)
	owner, err := b.Await(t.Context(), "s")
	require.NoError(t, err)
	require.Equal(t, "a", owner.Name)
	_, err = b.Dial(t.Context(), owner.Server, "coffee")
	require.EqualError(t, err, "connect to the other server: unknown agent")
	_, err = b.Dial(t.Context(), "nobody", "tea")
	require.ErrorContains(t, err, "no responders")
	near, err = b.Dial(t.Context(), owner.Server, "tea")
	require.NoError(t, err)
	require.NoError(t, j.Close())
	owner, err = b.Await(t.Context(), "s")
	require.NoError(t, err)
	require.Nil(t, owner)
	return near, <-came
}

func TestATunnelHasAllBytesBothWays(t *testing.T) {
	t.Parallel()
	near, far := tunnels(t, startNATS(t, nil).ClientURL())
	data := make([]byte, 20<<20)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(data)
	var work sync.WaitGroup
	for _, way := range [][2]*natsstore.Tunnel{{near, far}, {far, near}} {
		work.Go(func() {
			_, err := way[0].Write(data)
			if err != nil {
				t.Error(err)
			}
		})
		work.Go(func() {
			got := make([]byte, len(data))
			if _, err := io.ReadFull(way[1], got); err != nil || !bytes.Equal(got, data) {
				t.Errorf("something else has arrived: %v", err)
			}
		})
	}
	work.Wait()
	_, err := near.Write([]byte("the end"))
	require.NoError(t, err)
	require.NoError(t, near.Close())
	rest, err := io.ReadAll(far)
	require.NoError(t, err)
	require.Equal(t, "the end", string(rest), "what was sent before the end arrives")
	_, err = near.Write([]byte("x"))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestAWriterWaitsForAReader(t *testing.T) {
	t.Parallel()
	near, far := tunnels(t, startNATS(t, nil).ClientURL())
	wrote := make(chan error, 1)
	go func() {
		_, err := near.Write(make([]byte, 64<<20))
		wrote <- err
	}()
	some := make([]byte, 10<<20)
	_, err := io.ReadFull(far, some)
	require.NoError(t, err)
	select {
	case err := <-wrote:
		require.Fail(t, "nobody has read it", "%v", err)
	default:
	}
	require.NoError(t, far.Close())
	require.ErrorIs(t, <-wrote, io.ErrClosedPipe, "it does not wait for ever")
}

// Others may send anything to a tunnel's ends, and frames may be lost.
func TestATunnelEndsAfterALoss(t *testing.T) {
	t.Parallel()
	for name, frame := range map[string]string{
		"nothing":                  "",
		"a part":                   "d123",
		"data of another place":    "d\x00\x00\x00\x00\x00\x00\x00\x05hello",
		"less than was sent":       "s\x00\x00\x00\x00\x00\x00\x00\x05",
		"more read than was sent":  "r\x00\x00\x00\x00\x00\x00\x00\x05",
		"more read than there are": "r\xff\xff\xff\xff\xff\xff\xff\xff",
	} {
		t.Run(name, func(t *testing.T) {
			n := startNATS(t, nil)
			c, err := nats.Connect(n.ClientURL())
			require.NoError(t, err)
			defer c.Close()
			seen := make(chan string, 16)
			_, err = c.Subscribe("turnwire.tunnel.>", func(m *nats.Msg) {
				select {
				case seen <- m.Subject:
				default:
				}
			})
			require.NoError(t, err)
			require.NoError(t, c.Flush())
			near, far := tunnels(t, n.ClientURL())
			_, err = near.Write([]byte("x"))
			require.NoError(t, err)
			require.NoError(t, c.Publish(<-seen, []byte(frame)))
			_, err = io.ReadAll(far)
			require.EqualError(t, err, "the connection to the other server was lost")
			_, err = io.ReadAll(near)
			require.NoError(t, err, "it is told of the end")
		})
	}
}

// Nobody reports the end: the other side is silent.
func TestATunnelWithoutAServerEnds(t *testing.T) {
	t.Parallel()
	n := startNATS(t, nil)
	near, far := tunnels(t, n.ClientURL())
	n.Shutdown()
	n.WaitForShutdown()
	for _, end := range []*natsstore.Tunnel{near, far} {
		_, err := io.ReadAll(end)
		require.ErrorContains(t, err, "the connection to the other server was lost")
	}
}
