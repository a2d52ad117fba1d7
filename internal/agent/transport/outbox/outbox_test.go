package outbox_test

import (
	"bytes"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/turnwire/turnwire/internal/agent/transport/outbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A sink is a pipe that nobody reads until it is opened.
type sink struct {
	mu      sync.Mutex
	open    bool
	changed *sync.Cond
	late    bool
	partly  int // number of bytes of a line that fit anyway
	got     bytes.Buffer
}

func newSink(partly int) *sink {
	s := &sink{partly: partly}
	s.changed = sync.NewCond(&s.mu)
	return s
}

func (s *sink) SetWriteDeadline(at time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.late = !at.IsZero()
	s.changed.Broadcast()
	return nil
}

func (s *sink) Write(b []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.open {
		n = min(s.partly, len(b))
		s.got.Write(b[:n])
		s.partly -= n
	}
	for !s.open && !s.late {
		s.changed.Wait()
	}
	if s.late {
		return n, os.ErrDeadlineExceeded
	}
	s.got.Write(b[n:])
	return len(b), nil
}

func (s *sink) read() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = true
	s.changed.Broadcast()
}

func TestACancelRefusesUnwrittenPermissions(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		partly int
		want   string
	}{
		"it waits behind another line": {"first", 0, "first\nno\nlast\n"},
		"it is being written":          {"", 0, "no\nlast\n"},
		"it is written in part":        {"", 2, "yes\nlast\n"}, // and can't be withdrawn
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, w, cancelled, ended := outbox.New(unexpected(t)), newSink(c.partly), make(chan struct{}), make(chan error, 1)
				if c.before != "" {
					o.Put([]byte(c.before))
				}
				o.Permit([]byte("yes"), []byte("no"), cancelled)
				go func() { ended <- o.Run(w) }()
				synctest.Wait()
				close(cancelled)
				synctest.Wait()
				o.Put([]byte("last"))
				w.read()
				synctest.Wait()
				o.Close()
				require.NoError(t, <-ended)
				require.Equal(t, c.want, w.got.String())
			})
		})
	}
}

func TestPermissionsOfAContinuingTurnAreWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, w, ended := outbox.New(unexpected(t)), newSink(0), make(chan error, 1)
		w.read()
		go func() { ended <- o.Run(w) }()
		o.Permit([]byte("yes"), []byte("no"), make(chan struct{}))
		o.Put([]byte("last"))
		synctest.Wait()
		o.Close()
		require.NoError(t, <-ended)
		require.Equal(t, "yes\nlast\n", w.got.String())
	})
}

func TestFinishWritesPendingLinesAndCloseDropsThem(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(o *outbox.Outbox)
		want string
	}{
		"finish": {(*outbox.Outbox).Finish, "a\nb\n"},
		"close":  {(*outbox.Outbox).Close, ""},
	} {
		t.Run(name, func(t *testing.T) {
			o := outbox.New(unexpected(t))
			o.Put([]byte("a"))
			o.Put([]byte("b"))
			c.end(o)
			o.Put([]byte("c"))
			var got bytes.Buffer
			require.NoError(t, o.Run(&got))
			require.Equal(t, c.want, got.String())
		})
	}
}

func TestPendingLinesAreBounded(t *testing.T) {
	for name, size := range map[string]int{"in lines": 1, "in bytes": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			full := 0
			o := outbox.New(func() { full++ })
			line := make([]byte, size)
			for range 1 << 15 {
				o.Permit(line, nil, nil)
			}
			require.Equal(t, 1, full)
			require.NoError(t, o.Run(&bytes.Buffer{}), "it is closed, and empty")
		})
	}
}

func TestHTMLCharactersAreNotEscaped(t *testing.T) {
	line, err := outbox.Encode(map[string]string{"text": "a <b> & \"c\"\n"})
	require.NoError(t, err)
	require.Equal(t, `{"text":"a <b> & \"c\"\n"}`, string(line))
}

func unexpected(t *testing.T) func() {
	return func() { t.Error("the outbox is full") }
}
