package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/guard"
)

const (
	// maxGreeting bounds a body from a client without a connection, in bytes.
	maxGreeting = 1 << 20
	// maxID bounds a client's ids of sessions and requests, in bytes.
	maxID = 1 << 10
	// bodyTimeout bounds receiving a body.
	bodyTimeout = time.Minute
)

// The JSON-RPC error codes for invalid messages.
const (
	codeParse   = -32700
	codeInvalid = -32600
)

// post handles a POST request with a message.
func (h *Handler) post(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // not every writer has deadlines
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != remote.TypeJSON {
		refuse(w, http.StatusUnsupportedMediaType, "the Content-Type must be application/json")
		return
	}
	var x *exchange
	limit := int64(maxGreeting)
	id := r.Header.Get(remote.HeaderConnection)
	if id != "" {
		if x = h.find(w, r, id); x == nil {
			return
		}
		select {
		case x.posts <- struct{}{}:
			defer func() { <-x.posts }()
		case <-r.Context().Done():
			refuseCut(w)
			return
		}
		limit = remote.MaxMessage
	} else {
		select {
		case h.greetings <- struct{}{}:
			defer func() { <-h.greetings }()
		default:
			refuse(w, http.StatusServiceUnavailable, "too many connections are being opened")
			return
		}
	}
	text, m, ok := receive(w, r, limit)
	switch {
	case !ok:
	case x != nil:
		x.receive(w, r, text, m)
	case m.IsInitialize():
		h.initialize(w, r, text)
	default:
		h.find(w, r, "") // answers that the header is missing
	}
}

// receive reads a message, or answers the request with an error. If the body does not
// arrive, the read deadline stays set, because the server would otherwise wait for the
// rest.
func receive(w http.ResponseWriter, r *http.Request, limit int64) (text []byte, m remote.Message, ok bool) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTimeout))
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
	}
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		complain(w, http.StatusRequestEntityTooLarge, codeInvalid, "the message is too long")
		return nil, m, false
	}
	if err != nil { // the client may send it again
		complain(w, http.StatusRequestTimeout, codeParse, "the message did not arrive")
		return nil, m, false
	}
	text = remote.OneLine(text)
	if len(text) > 0 && text[0] == '[' {
		complain(w, http.StatusNotImplemented, codeInvalid, "batches are not supported")
		return nil, m, false
	}
	if m, err = remote.Parse(text); err != nil {
		code := codeParse
		if json.Valid(text) {
			code = codeInvalid
		}
		complain(w, http.StatusBadRequest, code, err.Error())
		return nil, m, false
	}
	return text, m, true
}

// complain answers an invalid message with a JSON-RPC error.
func complain(w http.ResponseWriter, status, code int, why string) {
	type wire struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	body, _ := json.Marshal(struct { // it can't fail
		Version string  `json:"jsonrpc"`
		ID      *string `json:"id"`
		Error   wire    `json:"error"`
	}{Version: "2.0", Error: wire{code, why}})
	w.Header().Set("Content-Type", remote.TypeJSON)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// initialize starts a connection, and answers with the response to "initialize".
func (h *Handler) initialize(w http.ResponseWriter, r *http.Request, text []byte) {
	if !h.admit(w, r) {
		return
	}
	x := newExchange(h.limits)
	x.resumable = asksToResume(text)
	c, ctx := h.newConn(guard.CallerOf(r.Context()), r.RemoteAddr, "http", x.route)
	x.Conn, c.away = c, x.isAway
	h.mu.Lock()
	h.conns[c.ID] = x
	h.mu.Unlock()
	go x.watch()
	go func() {
		defer close(x.left)
		defer h.leave()
		h.serve(ctx, c)
		close(x.closed)
		if !x.resumable {
			h.forget(x)
		}
		x.finish()
		x.drained(h.ctx)
		h.forget(x)
		x.fail(errOver)
	}()
	message, err := x.initialize(ctx, r.Context(), text)
	if err != nil {
		h.forget(x)
		x.fail(err)
		refuse(w, http.StatusServiceUnavailable, "the connection ended before it was established")
		return
	}
	w.Header().Set(remote.HeaderConnection, c.ID)
	w.Header().Set("Content-Type", remote.TypeJSON)
	w.Header().Set("Cache-Control", "no-store")
	if x.resumable {
		w.Header().Set(remote.HeaderInstance, h.instance)
		message = x.offerResume(message)
	}
	_, _ = w.Write(message)
	x.touch()
}

// initialize passes "initialize" on, and waits for its response. ctx is the connection's
// context.
func (x *exchange) initialize(ctx, request context.Context, text []byte) ([]byte, error) {
	if err := x.give(request, text); err != nil {
		return nil, err
	}
	select {
	case message := <-x.initialized:
		return message, nil
	case <-request.Done():
		return nil, errGone
	case <-ctx.Done():
	}
	select { // it may be the last message
	case message := <-x.initialized:
		return message, nil
	default:
		return nil, context.Cause(ctx)
	}
}

// receive passes a message on.
func (x *exchange) receive(w http.ResponseWriter, r *http.Request, text []byte, m remote.Message) {
	header, handled := r.Header.Get(remote.HeaderSession), true
	if number := operation(r); number > 0 && x.resumable {
		x.posting.Lock()
		defer x.posting.Unlock()
		switch {
		case number <= x.posted: // it arrived, but its response did not
			w.WriteHeader(http.StatusAccepted)
			return
		case number > x.posted+1:
			refuse(w, http.StatusConflict, "an earlier message is missing")
			return
		}
		defer func() {
			if handled {
				x.posted = number
			}
		}()
	}
	switch {
	case len(header) > maxID || len(m.ID) > maxID:
		complain(w, http.StatusBadRequest, codeInvalid, "an id is too long")
		return
	case m.IsInitialize():
		complain(w, http.StatusBadRequest, codeInvalid, "the connection is already initialized")
		return
	case m.IsAnswer(): // its id says which request it answers
		x.answered(m)
	case header == "" && m.NeedsSession():
		complain(w, http.StatusBadRequest, codeInvalid, "the Acp-Session-Id header is missing")
		return
	case header != "" && m.Scope() != "" && m.Scope() != header:
		complain(w, http.StatusBadRequest, codeInvalid, "the Acp-Session-Id header differs from the message's sessionId")
		return
	}
	if m.IsRequest() && !x.expect(m, header) {
		handled = false
		refuse(w, http.StatusTooManyRequests, "too many pending requests")
		return
	}
	x.touch()
	if x.give(r.Context(), text) != nil {
		handled = false
		if r.Context().Err() != nil {
			refuseCut(w)
		} else {
			refuse(w, http.StatusNotFound, "the connection ended")
		}
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// endWait is how long the response to a DELETE waits for the end of the connection.
const endWait = 3 * time.Second

// remove ends a connection. It answers when nothing of the connection is running any
// more, so that another connection can open its sessions.
func (h *Handler) remove(w http.ResponseWriter, r *http.Request) {
	x := h.find(w, r, r.Header.Get(remote.HeaderConnection))
	if x == nil {
		return
	}
	h.forget(x)
	x.dismiss()
	x.hangUp()
	timer := time.NewTimer(endWait)
	defer timer.Stop()
	select {
	case <-x.closed:
	case <-timer.C:
	case <-r.Context().Done():
	}
	w.WriteHeader(http.StatusAccepted)
}
