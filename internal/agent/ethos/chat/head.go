package chat

import (
	"bytes"
	"slices"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/ethos/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/requests"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/lazyregexp"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// head holds the members of an event that say which turn it belongs to, and what it means
// for the turn.
type head struct {
	Type       string        `json:"type"`
	TraceID    string        `json:"traceId"`
	Code       string        `json:"code"`
	Text       string        `json:"text"`
	TurnCount  int64         `json:"turnCount"`
	Approval   wire.Approval `json:"request"`
	ApprovalID string        `json:"approvalId"`
	RequestID  string        `json:"requestId"`
}

// pieces are the beginnings of the most frequent events, which need not be parsed.
var pieces = [][]byte{[]byte(`{"type":"text_delta",`), []byte(`{"type":"thinking_delta",`)}

// parse returns the head of an event, and the line as the decoder should read it.
func parse(line []byte) (h head, readable []byte) {
	if slices.ContainsFunc(pieces, func(begin []byte) bool { return bytes.HasPrefix(line, begin) }) {
		return h, line
	}
	// Repair the line as the decoder does, so that both see the same ids.
	line = dialect.Readable(rawjson.Valid(line))
	// The decoder reports members of the wrong kind.
	_ = exactjson.Unmarshal(line, &h)
	return h, line
}

// request returns the request that an event makes, or else settles.
func (h *head) request() (q requests.Request, asks bool) {
	switch h.Type {
	case "tool.approval_required":
		return requests.Request{ID: h.Approval.ApprovalID, Call: h.Approval.Call()}, true
	case "approval.resolved":
		return requests.Request{ID: h.ApprovalID}, false
	case "clarify.request", "clarify.resolved":
		return requests.Request{ID: h.RequestID, Question: true}, h.Type == "clarify.request"
	}
	return q, false
}

// Patterns for the beginning of an event that asks for something. They suffice
// because Ethos puts the ids before members that may be long.
var (
	approvalBegins = lazyregexp.New(`"type"\s*:\s*"tool\.approval_required".*?"approvalId"\s*:\s*"([^"\\]+)"`)
	questionBegins = lazyregexp.New(`"type"\s*:\s*"clarify\.request".*?"requestId"\s*:\s*"([^"\\]+)"`)
)

// ReasonUnread is the reason for refusing a request that is too long to read.
const ReasonUnread = "the request is too long to be shown"

// Unread returns the new request that begins with head and is too long to read. It must be
// refused: without an answer, Ethos would wait forever, and obey no abort.
func (c *Conversation) Unread(head []byte) (q requests.Request, ok bool) {
	if m := approvalBegins().FindSubmatch(head); m != nil {
		q = requests.Request{ID: string(m[1])}
	} else if m := questionBegins().FindSubmatch(head); m != nil {
		q = requests.Request{ID: string(m[1]), Question: true}
	} else {
		return q, false
	}
	return q, c.Requests.Add(q)
}
