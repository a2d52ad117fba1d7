package ethos

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/agent/transport/lifecycle"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// webTurn is one turn through the web API.
type webTurn struct {
	backend   *webBackend
	turn      *lifecycle.Turn
	decoder   cancellable
	leftover  leftover
	trace     string // the turn's trace, if Ethos sent one
	receiving bool   // the open stream has delivered an event
	sent      bool   // Ethos has the message
	visible   bool   // the user has seen anything of the turn
	ended     bool   // Ethos has ended the turn
	done      bool   // there is nothing more to do
}

func (w *webTurn) isCancelled() bool {
	select {
	case <-w.turn.Cancelled():
		return true
	default:
		return false
	}
}

// start sends the message and opens the stream with the turn's events.
func (w *webTurn) start(ctx context.Context) (*httpsse.Stream, error) {
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
		if e, ok := errors.AsType[*httpsse.StatusError](err); !ok || e.Status != http.StatusNotFound {
			return nil, err
		}
		b.setSession("")
		b.lastID, w.leftover = "", leftover{}
		w.turn.Emit(&agent.Notice{Severity: "warning", Message: "Ethos no longer knows this conversation. A new one starts here."})
	}
	if err := w.send(ctx); err != nil {
		return nil, err
	}
	return b.open(ctx)
}

func (w *webTurn) send(ctx context.Context) error {
	err := w.backend.send(ctx, w.turn.Prompt)
	// A message without a response may have arrived.
	w.sent = err == nil || ctx.Err() != nil || errors.Is(err, httpsse.ErrLate)
	return err
}

// head holds the members of an event that the driver needs.
type head struct {
	Type       string        `json:"type"`
	TraceID    string        `json:"traceId"`
	Code       string        `json:"code"`
	Text       string        `json:"text"`
	TurnCount  int64         `json:"turnCount"`
	Request    wire.Approval `json:"request"`
	ApprovalID string        `json:"approvalId"`
	RequestID  string        `json:"requestId"`
}

// pieces are the beginnings of the most frequent events, which the driver
// doesn't need to parse.
var pieces = [][]byte{[]byte(`{"type":"text_delta",`), []byte(`{"type":"thinking_delta",`)}

// handle processes one event.
func (w *webTurn) handle(ctx context.Context, line []byte) {
	var h head
	if !slices.ContainsFunc(pieces, func(begin []byte) bool { return bytes.HasPrefix(line, begin) }) {
		// Repair the line as the decoder does, so that both see the same ids.
		line = dialect.Readable(rawjson.Valid(line))
		// The decoder reports members of the wrong kind.
		_ = exactjson.Unmarshal(line, &h)
	}
	w.receiving = w.receiving || h.Type != "stream_meta" // which begins each stream
	if w.isLeftover(&h) {
		w.refuse(ctx, &h)
		return
	}
	w.trackAdvice(h.Type)
	switch h.Type {
	case "run_start":
		w.trace, w.leftover = h.TraceID, leftover{}
	case "tool.approval_required", "clarify.request":
		if !w.request(ctx, &h) {
			return
		}
	case "approval.resolved":
		w.backend.pending.answeredApproval(h.ApprovalID, true)
	case "clarify.resolved":
		w.backend.pending.answeredQuestion(h.RequestID, true)
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
		w.visible = true
	}
	if !w.turn.Decode(w.decoder, line) {
		w.done = true
	}
}

func (w *webTurn) end() { w.ended, w.done = true, true }

// request records a request from Ethos, and reports whether to show it. After a
// cancel, it refuses the request instead. A request without an id can't be
// answered; the decoder reports it. A known request was shown before. A request
// from another conversation belongs to another client.
func (w *webTurn) request(ctx context.Context, h *head) bool {
	p := w.backend.pending
	known := false
	switch id := h.Request.ApprovalID; {
	case h.Type == "clarify.request":
		known = h.RequestID != "" && !p.addQuestion(h.RequestID)
	case h.Request.SessionID != "" && h.Request.SessionID != w.backend.session():
		return false
	case id != "":
		known = !p.addApproval(id, h.Request.Call())
	}
	if known {
		w.backend.log.Info("Ethos repeats a question", "type", h.Type)
		return false
	}
	if !w.isCancelled() {
		return true
	}
	if err := w.backend.refuseAll(ctx); err != nil {
		w.backend.log.Warn("a cancelled turn is still waiting", "error", err)
	}
	return false
}

// handBack reports whether a done comes from a background run that hands over
// its result: it has no trace and no rounds. Its text is a separate message, and
// the turn continues.
func (w *webTurn) handBack(h *head) bool {
	if h.TurnCount != 0 || h.Text == "" || h.TraceID != "" || w.isCancelled() {
		return false
	}
	w.turn.Emit(&agent.MessageEnd{})
	return true
}

// explain tells the user why a turn may have ended without output: the web API
// does not report a missing credential.
func (w *webTurn) explain(h *head) {
	if w.visible || h.Text != "" || h.TurnCount != 0 || w.isCancelled() {
		return
	}
	w.turn.Emit(&agent.Notice{
		Severity: "warning",
		Message:  "Ethos ended the turn without an answer. It may need a credential: see its web UI.",
	})
}
