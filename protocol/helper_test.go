package protocol_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

var silent = slog.New(slog.DiscardHandler)

// A record is a peer that reads and stores everything.
type record struct {
	mu     sync.Mutex
	buf    bytes.Buffer
	closed chan struct{}
	once   sync.Once
}

func newRecord() *record { return &record{closed: make(chan struct{})} }

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf.Write(b)
}

func (r *record) Close() error {
	r.once.Do(func() { close(r.closed) })
	return nil
}

// lines waits for the end of the stream and returns what was written.
func (r *record) lines() []string {
	<-r.closed
	r.mu.Lock()
	defer r.mu.Unlock()
	return split(r.buf.String())
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// echo answers each request with its method, and counts requests and notifications.
type echo struct{ requests, notifications int }

func (e *echo) Handle(ctx context.Context, c *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if r.Notif {
		e.notifications++
		return
	}
	e.requests++
	_ = c.Reply(ctx, r.ID, r.Method)
}

// discard is the log for jsonrpc2.
type discard struct{}

func (discard) Printf(string, ...any) {}

// converse feeds a connection with everything in r and returns what the connection
// wrote.
func converse(r io.Reader) []string {
	out := newRecord()
	jsonrpc2.NewConn(context.Background(), protocol.NewStream(r, out, nil, silent), &echo{}, jsonrpc2.SetLogger(discard{}))
	return out.lines()
}

// stuck is a peer that does not read until released.
type stuck struct {
	record
	entered chan struct{} // receives a value when a write begins
	release chan struct{} // sends a value for each write that may continue; closed: all may
	sizes   []int
}

func newStuck() *stuck {
	return &stuck{
		record:  record{closed: make(chan struct{})},
		entered: make(chan struct{}, 1<<16),
		release: make(chan struct{}),
	}
}

func (s *stuck) Write(b []byte) (int, error) {
	s.sizes = append(s.sizes, len(b))
	s.entered <- struct{}{}
	select {
	case <-s.release:
		return s.record.Write(b)
	case <-s.closed:
		return 0, io.ErrClosedPipe
	}
}

// busy returns a stream whose writer is in the middle of writing "first".
func busy(t *testing.T) (*protocol.Stream, *stuck) {
	t.Helper()
	out := newStuck()
	s := protocol.NewStream(strings.NewReader(""), out, nil, silent)
	t.Cleanup(func() { _ = s.Close() })
	require.NoError(t, s.WriteObject("first"))
	<-out.entered
	return s, out
}

// finish lets the peer read everything, ends the stream and returns its lines.
func finish(t *testing.T, s *protocol.Stream, out *stuck) []string {
	t.Helper()
	close(out.release)
	s.Drain(patience)
	require.NoError(t, s.Close())
	return out.lines()
}

// refusal returns the response to a line that is not a message.
func refusal(id string, code int, message, details string) string {
	quoted, err := json.Marshal(details)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q,"data":{"details":%s,"error":%s}}}`,
		id, code, message, quoted, quoted)
}

func parseError() string {
	return refusal("null", protocol.CodeParse, "Parse error", "the line is not JSON")
}

func invalid(id, details string) string {
	return refusal(id, protocol.CodeInvalidRequest, "Invalid request", details)
}

// answer returns echo's response.
func answer(id, method string) string {
	return fmt.Sprintf(`{"id":%s,"result":%q,"jsonrpc":"2.0"}`, id, method)
}
