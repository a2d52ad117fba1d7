package outbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A deadliner is a pipe on which a write can be interrupted.
type deadliner interface {
	SetWriteDeadline(at time.Time) error
}

func (l *line) writeTo(w io.Writer) error {
	text := append(l.text, '\n')
	if l.refusal != nil {
		var err error
		if text, err = l.writePermission(w, text, append(l.refusal, '\n')); err != nil {
			return err
		}
	}
	_, err := w.Write(text)
	return err
}

// writePermission writes text, unless the turn is cancelled before a beginning
// of it is written, and returns what is still to be written then. An agent that
// does not read must not find a permission there when it reads again.
func (l *line) writePermission(w io.Writer, text, refusal []byte) (rest []byte, err error) {
	select {
	case <-l.cancelled:
		return refusal, nil
	default:
	}
	pipe, ok := w.(deadliner)
	if !ok || pipe.SetWriteDeadline(time.Time{}) != nil { // it cannot be interrupted
		return text, nil
	}
	written := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-l.cancelled:
			_ = pipe.SetWriteDeadline(time.Unix(1, 0)) // it could above
		case <-written:
		}
	})
	n, err := w.Write(text)
	close(written)
	watch.Wait()
	reset := pipe.SetWriteDeadline(time.Time{})
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errors.Join(err, reset)
	case n == 0:
		return refusal, reset
	}
	return text[n:], reset
}
