package jsonrpc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/agent/stream/dialect"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// notes is a handler that records its input.
type notes struct {
	hot   string
	lines []string
}

func (n *notes) Line(line []byte) bool {
	if n.hot == "" || !bytes.HasPrefix(line, []byte(n.hot)) {
		return false
	}
	n.lines = append(n.lines, "line "+string(line))
	return true
}

func (n *notes) Message(line []byte, _ Message) error {
	n.lines = append(n.lines, string(line))
	return nil
}

func (n *notes) Unread(line []byte, _ error) {
	n.lines = append(n.lines, "unread "+string(line[:min(len(line), 8)]))
}

func (n *notes) Flush() {}

func newConn() *Conn { return New(slog.New(slog.DiscardHandler), func() {}) }

func TestAResponseArrivesBeforeLaterMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, n := newConn(), new(notes)
		answered := make(chan error, 1)
		go func() {
			a, err := c.Call(t.Context(), "m", nil, func(line []byte) { n.lines = append(n.lines, "heard "+string(line)) })
			assert.Equal(t, `7`, string(a.Result))
			answered <- err
		}()
		synctest.Wait()
		lines := []string{`{"method":"a"}`, `{"id":1,"result":7}`, `{"method":"b"}`}
		require.NoError(t, c.Read(strings.NewReader(strings.Join(lines, "\n")), n))
		require.NoError(t, <-answered)
		require.Equal(t, []string{lines[0], "heard " + lines[1], lines[2]}, n.lines)
	})
}

func TestUnexpectedResponsesGoToTheHandler(t *testing.T) {
	c, n := newConn(), new(notes)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.Call(ctx, "m", nil, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, c.Read(strings.NewReader(`{"id":1,"result":{}}`), n))
	require.Len(t, n.lines, 1)
}

func TestAnErrorFailsItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newConn()
		failed := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil, nil)
			failed <- err
		}()
		synctest.Wait()
		require.NoError(t, c.Read(strings.NewReader(`{"id":1,"error":{"code":-1}}`+"\n"+`{"id":1,"result":{}}`), new(notes)))
		refusal, ok := errors.AsType[*Error](<-failed)
		require.True(t, ok)
		require.Equal(t, `{"code":-1}`, string(refusal.Raw))
	})
}

func TestCloseFailsAllCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, end := newConn(), errors.New("the end")
		failed := make(chan error, 1)
		go func() {
			_, err := c.Call(t.Context(), "m", nil, nil)
			failed <- err
		}()
		synctest.Wait()
		c.Close(end)
		require.ErrorIs(t, <-failed, end)
		_, err := c.Call(t.Context(), "m", nil, nil)
		require.ErrorIs(t, err, end)
	})
}

func TestInvalidMessagesAreNotAnswered(t *testing.T) {
	c, n := newConn(), &notes{hot: `{"method":"hot"`}
	long := `{"id":1,"params":"` + strings.Repeat("x", dialect.MaxLine) + `"}`
	require.NoError(t, c.Read(strings.NewReader("Loading...\n"+long+"\n[1]\n"+`{"method":"hot","params":{}}`), n))
	c.out.Finish()
	var sent bytes.Buffer
	require.NoError(t, c.Write(&sent))
	require.Empty(t, sent.String())
	require.Equal(t, []string{"unread Loading.", `unread {"id":1,`, "unread [1]", `line {"method":"hot","params":{}}`}, n.lines)
}

func TestMessagesAreSentInOrder(t *testing.T) {
	c := newConn()
	require.EqualValues(t, 1, c.Send("a", map[string]string{"text": "<b>"}))
	c.Notify("b", nil)
	c.Respond([]byte(`"x"`), struct{}{})
	c.Fail([]byte("7"), "no")
	cancelled := make(chan struct{})
	close(cancelled)
	c.Permit([]byte("8"), "yes", "no", cancelled)
	c.out.Finish()
	var sent bytes.Buffer
	require.NoError(t, c.Write(&sent))
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"a","params":{"text":"<b>"}}
{"jsonrpc":"2.0","method":"b"}
{"jsonrpc":"2.0","id":"x","result":{}}
{"jsonrpc":"2.0","id":7,"error":"no"}
{"jsonrpc":"2.0","id":8,"result":"no"}
`, sent.String())
}

func TestAFeedEndsWithItsTurnsError(t *testing.T) {
	f, end := NewFeed(1), errors.New("the end")
	go func() {
		f.Add([]byte("a"))
		f.Add([]byte("b"))
		f.End(end)
	}()
	got, err := io.ReadAll(f)
	require.ErrorIs(t, err, end)
	require.Equal(t, "a\nb\n", string(got))
	f.Abandon()
	f.Add(make([]byte, feedSize))
}

// Each line goes to one receiver, once.
func FuzzRead(f *testing.F) {
	f.Add(`{"id":7,"result":{"protocolVersion":"1.0"}}` + "\n" + `{"id":8,"error":{"message":"no"}}`)
	f.Add(`{"id":7,"error":7}` + "\n" + `{"id":8,"result":"x"}` + "\n" + `{"id":7,"result":{}}`)
	f.Add(`{"id":3,"method":"m","result":{}}` + "\n" + `{"id":"7","result":{}}` + "\n" + `{"id":7.0,"result":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, n := newConn(), new(notes)
		answers := make(map[int64]<-chan answer)
		for id := range int64(9) {
			var err error
			answers[id], err = c.expect(id, nil)
			require.NoError(t, err)
		}
		require.NoError(t, c.Read(strings.NewReader(text), n))
		for id, waiting := range answers {
			_, open := c.calls[id]
			require.Equal(t, open, len(waiting) == 0)
		}
		require.LessOrEqual(t, len(n.lines)+9-len(c.calls), strings.Count(text, "\n")+1)
	})
}
