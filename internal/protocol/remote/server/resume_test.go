package server_test

import (
	"bufio"
	"fmt"
	"net/http"
	"strconv"
	"strings"
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
