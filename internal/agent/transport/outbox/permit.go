package outbox

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// A deadliner is a pipe whose writes can be interrupted.
type deadliner interface {
	SetWriteDeadline(at time.Time) error
}

func (l *line) writeTo(w io.Writer) error {
	l.text = append(l.text, '\n')
	text := l.text
	if l.refusal != nil {
		l.refusal = append(l.refusal, '\n')
		var err error
		if text, err = l.writePermission(w); err != nil {
			return err
		}
	}
	_, err := w.Write(text)
	return err
}

// writePermission writes the text, unless the turn is cancelled before the first
// byte is written. It returns what remains to be written. An agent that was not
// reading must not find a withdrawn permission when it reads again.
func (l *line) writePermission(w io.Writer) (rest []byte, err error) {
	select {
	case <-l.cancelled:
		return l.refusal, nil
	default:
	}
	pipe, ok := w.(deadliner)
	if ok {
		ok = pipe.SetWriteDeadline(time.Time{}) == nil
	}
	if !ok { // it can't be interrupted
		return l.text, nil
	}
	written := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-l.cancelled:
			_ = pipe.SetWriteDeadline(time.Unix(1, 0)) // this worked above
		case <-written:
		}
	})
	n, err := w.Write(l.text)
	close(written)
	watch.Wait()
	reset := pipe.SetWriteDeadline(time.Time{})
	switch {
	case !errors.Is(err, os.ErrDeadlineExceeded):
		return nil, errors.Join(err, reset)
	case n == 0:
		return l.refusal, reset
	}
	return l.text[n:], reset
}
