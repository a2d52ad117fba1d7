package server_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

// A network may cut only what a client sends. The server then takes the client for gone, but
// the client reads the response, which must not say that anything is lost.
func TestARequestThatIsCutOffMayBeRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, h := start(t, server.Limits{}, nil, agent)
		c := resumable(t, w)
		cut, cancel := context.WithCancel(t.Context())
		cancel()
		request := func(ctx context.Context, w http.ResponseWriter, method, body string, header ...string) {
			r := httptest.NewRequestWithContext(ctx, method, "/acp", strings.NewReader(body))
			r.Header.Set("Content-Type", remote.TypeJSON)
			r.Header.Set("Accept", remote.TypeEvents)
			for i, value := range append([]string{c.id, "s"}, header...) {
				r.Header.Set([]string{remote.HeaderConnection, remote.HeaderSession, remote.HeaderOperation, remote.HeaderLastEvent}[i], value)
			}
			h.ServeHTTP(w, r)
		}
		answer := httptest.NewRecorder()
		request(cut, answer, http.MethodPost, fmt.Sprintf(note, 1), "1")
		require.Equal(t, http.StatusServiceUnavailable, answer.Code)
		require.Equal(t, http.StatusAccepted, c.operate(1, fmt.Sprintf(note, 1)), "it has not arrived")
		synctest.Wait() // the session has a stream once the agent has answered

		first := stuck{httptest.NewRecorder(), make(chan struct{})}
		var work sync.WaitGroup
		work.Go(func() { request(t.Context(), first, http.MethodGet, "", "", "0") })
		synctest.Wait()
		answer = httptest.NewRecorder()
		request(cut, answer, http.MethodGet, "", "", "0")
		require.Equal(t, http.StatusServiceUnavailable, answer.Code)
		close(first.release)
		work.Wait()
	})
}

// stuck is a response whose client reads nothing until it is released.
type stuck struct {
	*httptest.ResponseRecorder
	release chan struct{}
}

func (s stuck) Flush() { <-s.release }
