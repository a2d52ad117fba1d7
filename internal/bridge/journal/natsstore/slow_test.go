package natsstore_test

import (
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/journal"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
	"github.com/turnwire/turnwire/internal/bridge/journal/storetest"
	"github.com/turnwire/turnwire/internal/test/memnats"
)

// A farConn is a connection to a server that is far away.
type farConn struct{ net.Conn }

func (c farConn) Read(into []byte) (int, error) {
	time.Sleep(5 * time.Millisecond)
	return c.Conn.Read(into)
}

// An agent may write faster than the server answers, and never pause.
func TestWhatWasAppendedIsAwaitedWhileMoreIsAppended(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		link := memnats.New(0).Link()
		store, err := natsstore.Open(t.Context(), natsstore.Config{URL: "nats://127.0.0.1:4222", Dial: func() (net.Conn, error) {
			c, err := link.Dial()
			return farConn{c}, err
		}})
		require.NoError(t, err)
		j, err := store.Create(journal.Header{ID: "s", Cwd: "/"})
		require.NoError(t, err)
		done, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for next := j.Next(); ; next++ {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
				if j.Append(next, []journal.Record{{Type: "n", Data: []byte(`"more"`)}}) != nil {
					return
				}
			}
		}()
		time.Sleep(time.Second)
		require.NoError(t, j.Sync())
		require.NotEmpty(t, storetest.All(t, store, "s", 1))
		close(done)
		<-stopped
		require.NoError(t, j.Close())
		require.NoError(t, store.Close())
		time.Sleep(time.Second) // the last read ends
	})
}
