package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// drain posts the queued messages, one after another, until the connection ends. Each has
// a number, so that the server accepts it once, however often it is posted.
func (x *exchange) drain() {
	a := newAttempts(x.outage)
	number := int64(1)
	for sent := int64(0); ; sent++ {
		line := x.next(sent)
		if line == nil {
			return
		}
		m, err := remote.Parse(line)
		if err != nil {
			x.fail(x.conn.lost(err)) // send has checked it
			return
		}
		if len(line) > remote.MaxMessage { // the server would not count it
			err = x.refused(m, &StatusError{Status: http.StatusRequestEntityTooLarge})
		} else if err = x.postNumbered(a, sent, number, m); err == nil {
			number++
		}
		if err != nil {
			x.fail(err)
			return
		}
		x.queue.mu.Lock()
		_ = x.queue.out.Ack(sent + 1) // it was in the window
		x.queue.mu.Unlock()
		signal(x.queue.room)
	}
}

// next returns the message after number n, once it exists. It returns nil if the
// connection ends.
func (x *exchange) next(n int64) []byte {
	for {
		if line := x.after(n); line != nil {
			return line
		}
		select {
		case <-x.queue.wake:
		case <-x.conn.ctx.Done():
			return nil
		}
	}
}

// after returns the message after number n, if it exists. It may change until the server
// has it.
func (x *exchange) after(n int64) []byte {
	x.queue.mu.Lock()
	defer x.queue.mu.Unlock()
	line := x.queue.out.After(n)
	if line != nil {
		x.queue.written = max(x.queue.written, n+1)
	}
	return line
}

// postNumbered posts the message after number sent until the server has responded.
func (x *exchange) postNumbered(a *attempts, sent, number int64, m remote.Message) error {
	session := x.scope(m)
	if x.needsStream(m, session) {
		if err := x.open(session, nil).await(x.conn.ctx); err != nil {
			return err
		}
	}
	for {
		status, err := x.postOnce(a, x.after(sent), number, session)
		switch {
		case x.conn.ctx.Err() != nil:
			return context.Cause(x.conn.ctx)
		case err == nil && status.Status/100 == 2:
			a.reached()
			a.worked()
			return nil
		case err == nil && status.Status == http.StatusConflict:
			return x.reset("") // it lost an earlier message
		case err == nil && refuses(status.Status):
			a.reached()
			return x.refused(m, status)
		case err == nil:
			err = status
		}
		if final := x.final(err); final != nil {
			return final
		}
		if err := a.again(x.conn.ctx, err); err != nil {
			return x.conn.lost(err)
		}
	}
}

// refuses reports whether a status is about one message, and not about the connection.
func refuses(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status/100 == 4
}

// postOnce posts a message. status is the server's response.
func (x *exchange) postOnce(a *attempts, line []byte, number int64, session string) (status *StatusError, err error) {
	ctx, stop := context.WithCancelCause(x.conn.ctx)
	defer stop(nil)
	defer context.AfterFunc(a.network(), func() { stop(errEnded) })()
	r, err := x.request(ctx, http.MethodPost, bytes.NewReader(line), x.connection(), session, remote.HeaderOperation, strconv.FormatInt(number, 10))
	if err != nil {
		return nil, plain(ctx, err)
	}
	defer r.Body.Close() //nolint:errcheck // it was read, or does not matter
	if r.StatusCode/100 == 2 {
		_, _ = io.Copy(io.Discard, io.LimitReader(r.Body, maxDetail))
		return &StatusError{Status: r.StatusCode}, nil
	}
	failure, _ := errors.AsType[*StatusError](statusError(r))
	return failure, nil
}

// settle waits until everything that is queued was posted.
func (x *exchange) settle(ctx context.Context) {
	for {
		x.queue.mu.Lock()
		empty := x.queue.out.Size() == 0
		x.queue.mu.Unlock()
		if empty {
			return
		}
		select {
		case <-x.queue.room:
		case <-ctx.Done():
			return
		case <-x.conn.ctx.Done():
			return
		}
	}
}
