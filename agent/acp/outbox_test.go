package acp

import (
	"bytes"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A sink is a pipe that nobody reads before it is opened.
type sink struct {
	mu      sync.Mutex
	open    bool
	changed *sync.Cond
	late    bool
	partly  int // so much of a line fits all the same
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

func TestAConsentThatIsNotWrittenWhenTheTurnIsCancelledIsARefusal(t *testing.T) {
	for name, c := range map[string]struct {
		before string
		partly int
		want   string
	}{
		"it waits behind another line": {"first", 0, "first\nno\nlast\n"},
		"it is being written":          {"", 0, "no\nlast\n"},
		"it is written in part":        {"", 2, "yes\nlast\n"}, // and cannot be taken back
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o, w, cancelled, ended := newOutbox(), newSink(c.partly), make(chan struct{}), make(chan error, 1)
				if c.before != "" {
					o.put([]byte(c.before))
				}
				o.permit([]byte("yes"), []byte("no"), cancelled)
				go func() { ended <- o.writeTo(w) }()
				synctest.Wait()
				close(cancelled)
				synctest.Wait()
				o.put([]byte("last"))
				w.read()
				synctest.Wait()
				o.close()
				require.Error(t, <-ended)
				require.Equal(t, c.want, w.got.String())
			})
		})
	}
}

func TestAConsentOfATurnThatGoesOnIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, w, ended := newOutbox(), newSink(0), make(chan error, 1)
		w.read()
		go func() { ended <- o.writeTo(w) }()
		o.permit([]byte("yes"), []byte("no"), make(chan struct{}))
		o.put([]byte("last"))
		synctest.Wait()
		o.close()
		require.Error(t, <-ended)
		require.Equal(t, "yes\nlast\n", w.got.String())
	})
}
