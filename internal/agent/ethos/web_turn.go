package ethos

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/turnwire/turnwire/internal/agent/ethos/chat"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/agent/transport/reconnect"
)

// A pace says how soon a broken stream is reopened.
type pace struct {
	waits reconnect.Waits
	// steady is how long a stream must last to reset the attempts even though
	// it brought no event. Ethos may just have nothing to send, and some
	// proxies cut silent connections.
	steady time.Duration
}

var defaultPace = pace{reconnect.Default(), 10 * time.Second}

// farewell limits the calls to Ethos at the end of a turn that was cut off.
const farewell = 3 * time.Second

// webTurn is one turn through the web API.
type webTurn struct {
	*webBackend
	turn    *lifecycle.Turn
	course  *chat.Turn
	decoder cancellable
}

// Turn implements [lifecycle.Backend].
func (b *webBackend) Turn(ctx context.Context, t *lifecycle.Turn) error {
	if err := b.connect(ctx); err != nil {
		return err
	}
	w := &webTurn{b, t, b.chat.Turn(), cancellable{b.decoder, t.Cancelled()}}
	defer w.leave(ctx)
	stream, err := w.start(ctx)
	if err != nil {
		return err
	}
	t.Keep(b.chat.ID())
	if t.IsCancelled() { // the cancel may have come before the session had an id
		if err := b.abort(ctx); err != nil {
			b.log.Warn("a turn could not be aborted", "error", err)
		}
	}
	return w.follow(ctx, stream)
}

// start sends the message and opens the stream with the turn's events.
func (w *webTurn) start(ctx context.Context) (*httpsse.Stream, error) {
	if w.chat.ID() != "" {
		stream, err := w.open(ctx)
		if err != nil {
			return nil, err
		}
		err = w.send(ctx)
		if err == nil {
			return stream, nil
		}
		stream.Close()
		if !httpsse.HasStatus(err, http.StatusNotFound) {
			return nil, err
		}
		w.chat.Restart()
		w.turn.Restart("Ethos")
	}
	if err := w.send(ctx); err != nil {
		return nil, err
	}
	return w.open(ctx)
}

// send sends the message, which starts a turn of Ethos.
func (w *webTurn) send(ctx context.Context) error {
	var sent struct {
		SessionID string `json:"sessionId"`
	}
	err := w.rpc(ctx, "chat/send", w.chat.Message(w.turn.Prompt), &sent)
	if err == nil && sent.SessionID == "" {
		return lifecycle.NewError(codeNotStarted,
			"POST "+w.client.Load().URL()+"/rpc/chat/send returned no session. Check the URL: this may be another server", nil)
	}
	// A message without a response may have arrived.
	w.course.Sent = err == nil || ctx.Err() != nil || errors.Is(err, httpsse.ErrLate)
	if err == nil {
		w.chat.Begin(sent.SessionID)
	}
	return err
}

// open opens the conversation's stream after the last event received.
func (w *webTurn) open(ctx context.Context) (*httpsse.Stream, error) {
	return w.client.Load().Stream(ctx, http.MethodGet, "/sse/sessions/"+url.PathEscape(w.chat.ID()), nil, w.course.After())
}

// follow reads the turn's events to its end, across breaks of the stream.
func (w *webTurn) follow(ctx context.Context, stream *httpsse.Stream) error {
	return w.pace.waits.Retry(ctx, func() (outcome reconnect.Outcome, err error) {
		if stream == nil {
			if stream, err = w.open(ctx); err != nil {
				return reconnect.OutcomeOf(err), err
			}
		}
		opened := time.Now()
		outcome, err = w.read(ctx, stream)
		stream.Close()
		stream = nil
		if outcome == reconnect.Broken {
			w.log.Info("the Ethos stream was interrupted", "error", err)
			if w.course.Advanced || time.Since(opened) >= w.pace.steady {
				outcome = reconnect.Advanced
			}
		}
		return outcome, err
	})
}

// read reads a stream until it breaks, which the error explains, or the turn is
// over.
func (w *webTurn) read(ctx context.Context, stream *httpsse.Stream) (reconnect.Outcome, error) {
	w.course.Advanced = false
	for event, err := range stream.All() {
		if long, ok := errors.AsType[*httpsse.TooLongError](err); ok {
			w.refuseUnread(ctx, long.Head)
		}
		if _, idle := errors.AsType[*httpsse.IdleError](err); idle {
			return reconnect.Final, err
		}
		if err != nil {
			return reconnect.OutcomeOf(err), err
		}
		if !w.handle(ctx, w.course.Add(event.ID, []byte(event.Data), w.turn.IsCancelled)) {
			return reconnect.Final, nil
		}
	}
	return reconnect.Broken, &httpsse.CutOffError{URL: w.client.Load().URL(), Status: "repeatedly"}
}

// handle takes a step. It returns false at the turn's end.
func (w *webTurn) handle(ctx context.Context, s chat.Step) bool {
	var err error
	switch {
	case s.RefuseAll:
		err = w.refuseAll(ctx)
	case s.Refuse != nil:
		err = w.deliver(ctx, s.Refuse.Refusal(""))
	}
	if err != nil {
		w.log.Warn("an ended turn is still waiting", "error", err)
	}
	for _, e := range s.Before {
		w.turn.Emit(e)
	}
	return (s.Line == nil || w.turn.Decode(w.decoder, s.Line)) && !w.course.Ended
}

// refuseUnread refuses a request that is too long to read.
func (w *webTurn) refuseUnread(ctx context.Context, head []byte) {
	if q, ok := w.chat.Unread(head); ok {
		err := w.chat.Requests.Refuse(ctx, q, chat.ReasonUnread, w.deliver)
		w.log.Warn("rejected a request that is too long", "error", err)
	}
}

// leave ends a turn that was cut off: Ethos must neither continue it nor wait.
func (w *webTurn) leave(ctx context.Context) {
	if w.course.Ended || !w.course.Sent || w.chat.ID() == "" { // Ethos accepts no calls without an id
		return
	}
	w.course.Leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if err := errors.Join(w.refuseAll(ctx), w.abort(ctx)); err != nil {
		w.log.Warn("Ethos could not be notified that a turn ended", "error", err)
	}
}
