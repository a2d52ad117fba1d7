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
	"github.com/turnwire/turnwire/internal/agent/transport/turns"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// webTurn is one turn through the web API.
type webTurn struct {
	backend  *webBackend
	turn     *turns.Turn
	decoder  cancellable
	leftover leftover
	trace    string // the trace of this turn, where Ethos gives one
	heard    bool   // the stream that is open has brought an event
	sent     bool   // Ethos has the message
	visible  bool   // the user has seen anything of it
	ended    bool   // Ethos has ended it
	over     bool   // there is nothing more to do
}

func (w *webTurn) isCancelled() bool {
	select {
	case <-w.turn.Cancelled():
		return true
	default:
		return false
	}
}

// start sends the message and opens the stream in which its turn comes.
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
		w.turn.Emit(&agent.Notice{Severity: "warning", Message: "Ethos does not know this conversation any more. This is the beginning of a new one."})
	}
	if err := w.send(ctx); err != nil {
		return nil, err
	}
	return b.open(ctx)
}

func (w *webTurn) send(ctx context.Context) error {
	err := w.backend.send(ctx, w.turn.Prompt)
	// What was not answered may have arrived.
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

// pieces is how most events begin. The driver needs nothing of them.
var pieces = [][]byte{[]byte(`{"type":"text_delta",`), []byte(`{"type":"thinking_delta",`)}

// take takes one event.
func (w *webTurn) take(ctx context.Context, line []byte) {
	var h head
	if !slices.ContainsFunc(pieces, func(begin []byte) bool { return bytes.HasPrefix(line, begin) }) {
		// What is asked must have the same id here and for the decoder.
		line = dialect.Readable(rawjson.Valid(line))
		// The decoder reports fields of another kind.
		_ = exactjson.Unmarshal(line, &h)
	}
	w.heard = w.heard || h.Type != "stream_meta" // with which each stream begins
	if w.isLeftover(&h) {
		w.refuse(ctx, &h)
		return
	}
	w.heed(h.Type)
	switch h.Type {
	case "run_start":
		w.trace, w.leftover = h.TraceID, leftover{}
	case "tool.approval_required", "clarify.request":
		if !w.ask(ctx, &h) {
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
		w.over = true
	}
}

func (w *webTurn) end() { w.ended, w.over = true, true }

// ask notes what Ethos waits for, and reports whether to show it. After a cancel
// it is refused instead. A request without an id cannot be answered: the decoder
// reports it. One that is known was shown before, and one of another
// conversation is for others.
func (w *webTurn) ask(ctx context.Context, h *head) bool {
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
		w.backend.log.Info("Ethos repeats what it has asked", "type", h.Type)
		return false
	}
	if !w.isCancelled() {
		return true
	}
	if err := w.backend.refuseAll(ctx); err != nil {
		w.backend.log.Warn("a cancelled turn waits", "error", err)
	}
	return false
}

// handBack reports whether a done comes from a run in the background that hands
// its result over: it has no trace and no rounds. Its text is a message of its
// own, and the turn goes on.
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
	if w.visible || h.Text != "" || h.TurnCount != 0 || w.isCancelled() {
		return
	}
	w.turn.Emit(&agent.Notice{
		Severity: "warning",
		Message:  "Ethos has ended the turn without an answer. It may need a credential: its web UI says more.",
	})
}
