package ethos

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/driver"
	"github.com/turnwire/turnwire/agent/remote"
)

// webTurn is one turn through the web API.
type webTurn struct {
	backend  *webBackend
	turn     *driver.Turn
	decoder  cancellable
	leftover leftover
	trace    string // the trace of this turn, where Ethos gives one
	sent     bool   // Ethos has the message
	said     bool   // anything that a person can see
	ended    bool   // Ethos has ended it
	over     bool   // there is nothing more to do
}

// retries are how long it is waited before each attempt to get a stream back
// that has broken off.
var retries = []time.Duration{0, 250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}

func (w *webTurn) isCancelled() bool {
	select {
	case <-w.turn.Cancelled():
		return true
	default:
		return false
	}
}

// start sends the message and opens the stream in which its turn comes.
func (w *webTurn) start(ctx context.Context) (*remote.Events, error) {
	b := w.backend
	if b.session() != "" {
		stream, err := b.open(ctx)
		if err != nil {
			return nil, err
		}
		err = w.send(ctx)
		if err == nil {
			return stream, nil
		}
		stream.Close()
		if e, ok := errors.AsType[*remote.StatusError](err); !ok || e.Status != http.StatusNotFound {
			return nil, err
		}
		b.setSession("")
		b.lastID, w.leftover = "", leftover{}
		w.turn.Emit(&agent.Notice{Severity: "warning", Message: "Ethos does not know this conversation any more. This is the beginning of a new one."})
	}
	if err := w.send(ctx); err != nil {
		return nil, err
	}
	return b.open(ctx)
}

func (w *webTurn) send(ctx context.Context) error {
	err := w.backend.send(ctx, w.turn.Prompt)
	w.sent = err == nil
	return err
}

// follow reads the turn's events to its end, across breaks of the stream.
func (w *webTurn) follow(ctx context.Context, stream *remote.Events) error {
	for {
		broken := w.read(ctx, stream)
		stream.Close()
		if w.over || ctx.Err() != nil {
			return ctx.Err()
		}
		if idle, ok := errors.AsType[*remote.IdleError](broken); ok {
			return idle
		}
		w.backend.log.Info("the stream of Ethos has broken off", "error", broken)
		var err error
		if stream, err = w.reopen(ctx); err != nil {
			return err
		}
	}
}

// read reads a stream until it breaks off, which the error explains, or the
// turn is over.
func (w *webTurn) read(ctx context.Context, stream *remote.Events) error {
	for event, err := range stream.All() {
		if err != nil {
			return err
		}
		if event.ID != "" {
			w.backend.lastID = event.ID
		}
		if w.take(ctx, []byte(event.Data)); w.over {
			return nil
		}
	}
	return nil
}

func (w *webTurn) reopen(ctx context.Context) (stream *remote.Events, err error) {
	for _, delay := range retries {
		timer := time.NewTimer(delay)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
		if stream, err = w.backend.open(ctx); err == nil {
			return stream, nil
		}
		if !passing(err) {
			return nil, err
		}
	}
	return nil, err
}

// passing tells whether what has failed may do better a second later.
func passing(err error) bool {
	if e, ok := errors.AsType[*remote.StatusError](err); ok {
		return e.Status >= http.StatusInternalServerError
	}
	_, ok := errors.AsType[*remote.UnreachableError](err)
	return ok
}

// head is what of an event this side must know.
type head struct {
	Type       string   `json:"type"`
	TraceID    string   `json:"traceId"`
	Code       string   `json:"code"`
	Text       string   `json:"text"`
	TurnCount  int64    `json:"turnCount"`
	Request    approval `json:"request"`
	ApprovalID string   `json:"approvalId"`
	RequestID  string   `json:"requestId"`
}

// most is how most events begin; of them nothing must be known.
var most = [][]byte{[]byte(`{"type":"text_delta",`), []byte(`{"type":"thinking_delta",`)}

// take takes one event.
func (w *webTurn) take(ctx context.Context, line []byte) {
	var h head
	if !slices.ContainsFunc(most, func(begin []byte) bool { return bytes.HasPrefix(line, begin) }) {
		// A field of another kind is for the decoder to say.
		_ = json.Unmarshal(line, &h)
	}
	if w.late(&h) {
		w.refuse(ctx, &h)
		return
	}
	switch h.Type {
	case "run_start":
		w.trace, w.leftover = h.TraceID, leftover{}
	case "tool.approval_required", "clarify.request":
		if !w.ask(ctx, &h) {
			return
		}
	case "approval.resolved":
		w.backend.pending.dropApproval(h.ApprovalID)
	case "clarify.resolved":
		w.backend.pending.takeQuestion(h.RequestID)
	case "error":
		w.end()
		w.backend.leftover = leftover{done: slices.Contains(refusals, h.Code)}
	case "done":
		if w.handBack(&h) {
			return
		}
		w.end()
		w.backend.leftover = leftover{}
		w.explain(&h)
	}
	switch h.Type {
	case "stream_meta", "run_start", "usage", "context_meta":
	default:
		w.said = true
	}
	if !w.turn.Decode(w.decoder, line) {
		w.over = true
	}
}

func (w *webTurn) end() { w.ended, w.over = true, true }

// ask notes what Ethos waits for. What comes behind a cancel is not shown but
// refused, and so is what is not about this conversation.
func (w *webTurn) ask(ctx context.Context, h *head) bool {
	p := w.backend.pending
	if h.Type == "clarify.request" {
		p.addQuestion(h.RequestID)
	} else {
		if id := h.Request.SessionID; id != "" && id != w.backend.session() {
			return false
		}
		p.addApproval(h.Request.call(), h.Request.ApprovalID)
	}
	if !w.isCancelled() {
		return true
	}
	if err := w.backend.refuseAll(ctx); err != nil {
		w.backend.log.Warn("a cancelled turn waits", "error", err)
	}
	return false
}

// handBack tells whether a done is that of a run in the background which hands
// its result over: it has no trace and no rounds. Its text stands apart, and
// the turn goes on.
func (w *webTurn) handBack(h *head) bool {
	if h.TurnCount != 0 || h.Text == "" || h.TraceID != "" || w.isCancelled() {
		return false
	}
	w.turn.Emit(&agent.MessageEnd{})
	return true
}

// explain says why a turn has ended without a word: the web API keeps to
// itself that a credential is missing.
func (w *webTurn) explain(h *head) {
	if w.said || h.Text != "" || h.TurnCount != 0 || w.isCancelled() {
		return
	}
	w.turn.Emit(&agent.Notice{
		Severity: "warning",
		Message:  "Ethos has ended the turn without an answer. It may need a credential: its web UI says more.",
	})
}
