package client

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	gosse "github.com/tmaxmax/go-sse"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

var errEnded = errors.New("the server ended the request")

// final returns the error that ends the connection if the server's response to a request
// was err, or nil if the request may be sent again.
func (x *exchange) final(err error) error {
	status, ok := errors.AsType[*StatusError](err)
	if !ok {
		if _, ended := errors.AsType[*EndError](err); ended {
			return err
		}
		return nil
	}
	switch status.Status {
	case http.StatusNotFound, http.StatusGone:
		return x.reset(status.instance)
	}
	if !hopeless(err) {
		return nil
	}
	return x.conn.lost(err)
}

// reset returns the error for a connection that the server no longer has. instance is the
// server's process, or "" if it is unknown.
func (x *exchange) reset(instance string) error {
	return x.conn.lost(&ResetError{Restarted: instance != "" && instance != x.instance})
}

// persist reads a stream until it is no longer needed or the connection ends. It reads on
// after the last event each time that the stream breaks.
func (x *exchange) persist(ctx context.Context, s *stream, id, session string, first []byte) (err error) {
	a := newAttempts(x.outage)
	defer func() {
		if !s.open {
			s.failed = err
			close(s.ready)
		}
	}()
	for {
		err = x.read(ctx, s, a, id, session, first)
		if s.open {
			first = nil // it was delivered
		}
		if ctx.Err() != nil {
			a.reached() // the stream is not needed any more
			return context.Cause(ctx)
		}
		if final := x.final(err); final != nil {
			return final
		}
		if err = a.again(ctx, err); err != nil {
			return x.conn.lost(err)
		}
	}
}

// read reads a stream until it breaks. It never returns nil.
func (x *exchange) read(ctx context.Context, s *stream, a *attempts, id, session string, first []byte) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(a.network(), func() { stop(errEnded) })()
	timer := time.AfterFunc(silence, func() { stop(errSilent) })
	defer timer.Stop()
	failed := func(err error) error {
		if cause := context.Cause(ctx); errors.Is(cause, errSilent) || errors.Is(cause, errEnded) {
			return cause
		}
		return plain(ctx, err)
	}
	r, err := x.listenAfter(ctx, s, id, session)
	if err != nil {
		return failed(err)
	}
	defer r.Body.Close() //nolint:errcheck // it was read
	switch {
	case r.StatusCode == http.StatusConflict && s.again:
		x.received(session, s, 0, 0)
		s.again, s.known = false, false
		return errEnded
	case r.StatusCode == http.StatusConflict && s.last > 0:
		return x.reset("")
	case r.StatusCode == http.StatusConflict: // whether the server knew the stream was a guess
		s.known = !s.known
		return errEnded
	case r.StatusCode != http.StatusOK:
		return statusError(r)
	case !strings.HasPrefix(r.Header.Get("Content-Type"), remote.TypeEvents):
		return x.conn.lost(errors.New("the server's response is not a stream of events"))
	}
	a.reached()
	s.again, s.known = false, true
	if !s.open {
		s.open = true
		close(s.ready)
		if first != nil {
			if x.conn.deliver(first) != nil {
				return x.conn.lost(errClosed)
			}
			close(x.greeted)
		}
	}
	body := remote.Progress{Reader: r.Body, Each: func() { timer.Reset(silence); a.worked() }}
	for e, err := range gosse.Read(body, &gosse.ReadConfig{MaxEventSize: maxMessage}) {
		if err != nil {
			return failed(err)
		}
		if strings.TrimSpace(e.Data) == "" {
			continue // a heartbeat
		}
		timer.Stop() // the reader may be slow
		if err := x.event(s, session, e); err != nil {
			return err
		}
		timer.Reset(silence)
	}
	return failed(errEnded)
}

// listenAfter requests a stream after the last event that was received. Before the first
// event, it may be unknown whether an earlier request created the stream.
func (x *exchange) listenAfter(ctx context.Context, s *stream, id, session string) (*http.Response, error) {
	last := ""
	if s.known || s.last > 0 {
		last = strconv.FormatInt(s.last, 10)
	}
	r, err := x.request(ctx, http.MethodGet, http.NoBody, id, session, remote.HeaderLastEvent, last)
	if err != nil {
		s.known = true // it may have arrived
	}
	return r, err
}

// event handles an event of a stream.
func (x *exchange) event(s *stream, session string, e gosse.Event) error {
	switch n, err := strconv.ParseInt(e.LastEventID, 10, 64); {
	case err != nil:
		return x.conn.lost(errors.New("the server does not number its events as it promised"))
	case n <= s.last:
		return nil // it was received already
	case n != s.last+1:
		return x.reset("")
	}
	if !x.received(session, s, s.last+1, len(e.Data)) {
		return errEnded
	}
	if err := x.handle(session, withoutCursor([]byte(e.Data))); err != nil {
		return x.conn.lost(err)
	}
	return nil
}
