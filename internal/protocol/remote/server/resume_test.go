package server_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
)

const resumableHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"transport":{"resumable":{}}}}}`

// resumable opens a connection whose streams can be resumed.
func resumable(t *testing.T, w *web) *client {
	t.Helper()
	r := send(t, http.MethodPost, w.URL, resumableHello)
	require.Equal(t, http.StatusOK, r.status, r.body)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentCapabilities":{"transport":{"resumable":{"retentionMessages":1000,"retentionSeconds":600}}}}}`, r.body)
	return &client{t, w.URL, r.connection}
}

// stream opens a stream after an event, or from its beginning if last is "". The function
// returns the next event's id and data.
func (c *client) stream(session, last string) (status int, next func() (id, data string), closeIt func()) {
	c.t.Helper()
	headers := []string{remote.HeaderConnection, c.id, "Accept", "text/event-stream", remote.HeaderSession, session}
	if last != "" {
		headers = append(headers, remote.HeaderLastEvent, last)
	}
	r := open(c.t, http.MethodGet, c.url, "", headers...)
	c.t.Cleanup(func() { _ = r.Body.Close() })
	lines := bufio.NewScanner(r.Body)
	return r.StatusCode, func() (id, data string) {
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				id = value
			case "data":
				return id, value
			}
		}
		return "", "EOF"
	}, func() { _ = r.Body.Close() }
}

// operate posts a numbered message for the session s.
func (c *client) operate(number int, message string) int {
	c.t.Helper()
	return send(c.t, http.MethodPost, c.url, message, remote.HeaderConnection, c.id, remote.HeaderSession, "s", remote.HeaderOperation, strconv.Itoa(number)).status
}

const note = `{"jsonrpc":"2.0","method":"note","params":{"sessionId":"s","n":%d}}`

func TestAStreamIsResumedAfterAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		c := resumable(t, w)
		_, next, hangUp := c.stream("s", "")
		for n := 1; n <= 3; n++ {
			require.Equal(t, http.StatusAccepted, c.operate(n, fmt.Sprintf(note, n)))
			id, data := next()
			require.Equal(t, strconv.Itoa(n), id)
			require.Contains(t, data, fmt.Sprintf(`"n":%d`, n))
		}
		hangUp()
		synctest.Wait()
		require.Equal(t, http.StatusAccepted, c.operate(4, fmt.Sprintf(note, 4)))
		time.Sleep(9 * time.Minute) // no stream is open meanwhile
		status, next, _ := c.stream("s", "1")
		require.Equal(t, http.StatusOK, status)
		for n := 2; n <= 4; n++ {
			id, data := next()
			require.Equal(t, strconv.Itoa(n), id)
			require.Contains(t, data, fmt.Sprintf(`"n":%d`, n))
		}
		// A second reader replaces the first, whose network may be dead.
		status, again, _ := c.stream("s", "3")
		require.Equal(t, http.StatusOK, status)
		_, data := next()
		require.Equal(t, "EOF", data)
		id, _ := again()
		require.Equal(t, "4", id)
	})
}

// A client that reads no stream can't see anything, so it doesn't count as somebody who looks.
func TestAClientWithoutAStreamIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conn atomic.Pointer[server.Conn]
		w, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			conn.Store(c)
			agent(ctx, c)
		})
		c := resumable(t, w)
		away := func() bool { synctest.Wait(); return conn.Load().Away() }
		require.True(t, away(), "it has opened no stream yet")
		_, _, hangUp := c.stream("", "")
		_, _, hangUpSession := c.stream("s", "")
		require.False(t, away())
		hangUp()
		require.False(t, away(), "it still reads a stream")
		hangUpSession()
		require.True(t, away())
		_, _, hangUp = c.stream("s", "")
		require.False(t, away())
		hangUp()
		require.True(t, away())
	})
}

// Each message of a resumable stream has its event's id in _meta, also when it is
// delivered again. Everything else in it stays as it is.
func TestMessagesHaveCursors(t *testing.T) {
	said := []string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","n":1.0}}`,
		`{"jsonrpc":"2.0","id":"p","method":"ask","params":{"sessionId":"s","_meta":{"a":"b"}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","_meta":null}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","_meta":{"acp/cursor":"99"}}}`,
		`{"jsonrpc":"2.0","id":5,"result":{}}`,
		`{"jsonrpc":"2.0","id":5,"result":null}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no"}}`,
		`nonsense`,
	}
	heard := []string{
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","n":1.0,"_meta":{"acp/cursor":"1"}}}`,
		`{"jsonrpc":"2.0","id":"p","method":"ask","params":{"sessionId":"s","_meta":{"a":"b","acp/cursor":"2"}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","_meta":{"acp/cursor":"3"}}}`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","_meta":{"acp/cursor":"4"}}}`,
		`{"jsonrpc":"2.0","id":5,"result":{"_meta":{"acp/cursor":"1"}}}`,
		`{"jsonrpc":"2.0","id":5,"result":null}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":-32603,"message":"no"}}`,
		`nonsense`,
	}
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			lines := bufio.NewScanner(c)
			require.True(t, lines.Scan())
			_, err := fmt.Fprintln(c, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`)
			require.NoError(t, err)
			for _, line := range said {
				_, err := fmt.Fprintln(c, line)
				require.NoError(t, err)
			}
			for lines.Scan() {
			}
		})
		c := resumable(t, w)
		var got []string
		for _, session := range []string{"s", ""} { // a message without a session is on the connection's stream
			status, next, hangUp := c.stream(session, "")
			require.Equal(t, http.StatusOK, status)
			for range 4 {
				_, data := next()
				got = append(got, data)
			}
			hangUp()
		}
		require.Equal(t, heard, got)
		_, next, _ := c.stream("s", "2")
		_, data := next()
		require.Equal(t, heard[2], data)
	})
}

func TestAStreamWithoutItsHistoryIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		c := resumable(t, w)
		_, next, hangUp := c.stream("s", "")
		for n := 1; n <= 1200; n++ {
			require.Equal(t, http.StatusAccepted, c.operate(n, fmt.Sprintf(note, n)))
			next()
		}
		hangUp()
		synctest.Wait()
		for _, last := range []string{"1", "199", "1201", "-1", "x"} {
			status, _, _ := c.stream("s", last)
			require.Equal(t, http.StatusConflict, status, last)
		}
		status, _, _ := c.stream("other", "1")
		require.Equal(t, http.StatusConflict, status)
		status, next, _ = c.stream("s", "200")
		require.Equal(t, http.StatusOK, status)
		id, _ := next()
		require.Equal(t, "201", id)
	})
}

// filling answers each request, after as many updates of 10 kB as its id says.
func filling(ctx context.Context, c *server.Conn) {
	defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
	for lines := bufio.NewScanner(c); lines.Scan(); {
		m, err := remote.Parse(lines.Bytes())
		if err != nil {
			return
		}
		if n, _ := strconv.Atoi(string(m.AppendID(nil))); m.Method == "fill" {
			for range n {
				_, _ = fmt.Fprintf(c, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"text":%q}}`+"\n", m.Session, strings.Repeat("x", 10_000))
			}
		}
		_, _ = fmt.Fprintf(c, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":1}}`+"\n", m.AppendID(nil))
	}
}

// fill makes a session of filling deliver n updates, and reads them and the response.
func (c *client) fill(session string, n int) (next func() (id, data string), closeIt func()) {
	c.t.Helper()
	_, next, closeIt = c.stream(session, "")
	require.Equal(c.t, http.StatusAccepted, c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"fill","params":{"sessionId":%q}}`, n, session), session))
	for range n + 1 {
		next()
	}
	return next, closeIt
}

// open resumes a stream after an event.
func (c *client) open(session string, last int) (closeIt func()) {
	c.t.Helper()
	status, _, closeIt := c.stream(session, strconv.Itoa(last))
	require.Equal(c.t, http.StatusOK, status, session)
	return closeIt
}

// repeats requires that a session can deliver again what follows an event.
func (c *client) repeats(session string, last int) {
	c.t.Helper()
	status, next, closeIt := c.stream(session, strconv.Itoa(last))
	defer closeIt()
	require.Equal(c.t, http.StatusOK, status, session)
	id, _ := next()
	require.Equal(c.t, strconv.Itoa(last+1), id)
}

// What a busy session delivered doesn't push out what another session may have to repeat.
func TestABusySessionCostsOthersNoHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, filling)
		c := resumable(t, w)
		c.fill("idle", 1)
		c.fill("busy", 600)
		c.fill("late", 2)
		c.repeats("idle", 0)
		c.repeats("busy", 600)
		c.repeats("late", 0)
	})
}

// The history of closed sessions is the first to be dropped.
func TestClosedSessionsCostOthersNoHistory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, filling)
		c := resumable(t, w)
		const closed, updates, last = 20, 20, 22 // two responses follow the updates
		for i := range closed {
			session := fmt.Sprintf("closed-%d", i)
			next, closeIt := c.fill(session, updates)
			require.Equal(t, http.StatusAccepted, c.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":%q}}`, session), session))
			next()
			closeIt()
		}
		again := c.open("closed-0", last)
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":"load","method":"session/load","params":{"sessionId":"closed-0"}}`, "closed-0"))
		c.open("closed-1", last) // a late request
		c.fill("open", 200)
		again()
		c.repeats("open", 0)
		c.repeats("closed-19", last-1)
		c.repeats("closed-0", last)
		c.open("closed-1", last)
		status, _, _ := c.stream("closed-1", strconv.Itoa(last-1))
		require.Equal(t, http.StatusConflict, status)
	})
}

// A stream without history can be resumed after its last event.
func TestAStreamIsResumedAfterItsLastEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, filling)
		c := resumable(t, w)
		next, closeIt := c.fill("closed", 1)
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"closed"}}`, "closed"))
		next()
		c.fill("busy", 600)
		closeIt()
		synctest.Wait()
		c.open("closed", 3)
	})
}

// A client that opens a closed session again without resuming its stream gets numbers from
// the beginning.
func TestAClosedSessionsNumbersBeginAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, filling)
		c := resumable(t, w)
		next, closeIt := c.fill("s", 5)
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":"close","method":"session/close","params":{"sessionId":"s"}}`, "s"))
		next()
		closeIt()
		synctest.Wait()
		next, _ = c.fill("s", 0)
		require.Equal(t, http.StatusAccepted, c.post(`{"jsonrpc":"2.0","id":1,"method":"fill","params":{"sessionId":"s"}}`, "s"))
		id, _ := next()
		require.Equal(t, "2", id)
	})
}

func TestARepeatedMessageHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		c := resumable(t, w)
		_, next, _ := c.stream("s", "")
		for _, n := range []int{1, 1, 2, 1, 2} {
			require.Equal(t, http.StatusAccepted, c.operate(n, fmt.Sprintf(note, n)))
		}
		require.Equal(t, http.StatusConflict, c.operate(4, fmt.Sprintf(note, 4)), "3 is missing")
		require.Equal(t, http.StatusAccepted, c.operate(3, fmt.Sprintf(note, 3)))
		for n := 1; n <= 3; n++ {
			id, data := next()
			require.Equal(t, strconv.Itoa(n), id)
			require.Contains(t, data, fmt.Sprintf(`"n":%d`, n))
		}
	})
}

func TestOtherClientsGetNoEventIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		c := connect(t, w.URL)
		_, next, _ := c.stream("s", "")
		for range 2 { // the number is ignored
			require.Equal(t, http.StatusAccepted, c.operate(1, fmt.Sprintf(note, 1)))
			id, data := next()
			require.Empty(t, id)
			require.Contains(t, data, `"n":1`)
		}
	})
}

// A request of a client that is gone may arrive late, and ask for events that the client
// has received since. The client's next request continues after those.
func TestALateRequestForAStreamHarmsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, _ := start(t, server.Limits{}, nil, agent)
		for range 20 {
			c := resumable(t, w)
			_, next, _ := c.stream("s", "")
			for n := 1; n <= 3; n++ {
				require.Equal(t, http.StatusAccepted, c.operate(n, fmt.Sprintf(note, n)))
				next()
			}
			statuses := make(chan int, 2)
			for _, last := range []string{"1", "3"} {
				go func() { statuses <- c.tryStream("s", last) }()
			}
			require.NotContains(t, []int{<-statuses, <-statuses}, http.StatusConflict)
			require.Equal(t, http.StatusAccepted, send(t, http.MethodDelete, w.URL, "", remote.HeaderConnection, c.id).status)
		}
	})
}

// tryStream asks for a stream after an event, and leaves it. The status is 0 if another
// request took over the stream.
func (c *client) tryStream(session, last string) (status int) {
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, c.url, nil)
	if err != nil {
		return 0
	}
	for name, value := range map[string]string{remote.HeaderConnection: c.id, "Accept": "text/event-stream", remote.HeaderSession: session, remote.HeaderLastEvent: last} {
		r.Header.Set(name, value)
	}
	response, err := clientOf(c.url).Do(r)
	if err != nil {
		return 0
	}
	_ = response.Body.Close()
	return response.StatusCode
}
