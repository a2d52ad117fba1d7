package server_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

// A client that reports what it received gets no more than can be repeated until it reports
// again.
func TestWhatAClientHasNotReportedCanBeRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, filling)
		c := resumable(t, w)
		report := func(last string) {
			r := send(t, http.MethodHead, w.URL, "", remote.HeaderConnection, c.id, remote.HeaderSession, "s", remote.HeaderLastEvent, last)
			require.Equal(t, http.StatusNoContent, r.status)
		}
		report("0")
		_, next, hangUp := c.stream("s", "")
		var received atomic.Int64
		go func() {
			for _, data := next(); data != "EOF"; _, data = next() {
				received.Add(1)
			}
		}()
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":600,"method":"fill","params":{"sessionId":"s"}}`, "s"))
		synctest.Wait()
		const atOnce = 13 // of 10 kB
		require.EqualValues(t, atOnce, received.Load())
		report("5")
		synctest.Wait()
		require.EqualValues(t, atOnce+5, received.Load())
		report("999999") // it can't have received that
		synctest.Wait()
		require.EqualValues(t, atOnce+5, received.Load())
		hangUp()
		synctest.Wait()
		c.repeats("s", 5)
		report("18")
		require.Equal(t, http.StatusConflict, c.tryStream("s", "5"))
	})
}

// A request for a new stream may be so late that its client has sent another one, which must
// not begin with what follows the events that nobody got.
func TestANewStreamBeginsWithItsFirstEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		c := resumable(t, w)
		_, next, hangUp := c.stream("s", "")
		require.Equal(t, http.StatusAccepted, c.operate(1, fmt.Sprintf(note, 1)))
		id, _ := next()
		require.Equal(t, "1", id)
		hangUp()
		synctest.Wait()
		status, next, _ := c.stream("s", "")
		require.Equal(t, http.StatusOK, status)
		id, _ = next()
		require.Equal(t, "1", id)
	})
}
