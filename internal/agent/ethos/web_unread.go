package ethos

import (
	"context"

	"github.com/turnwire/turnwire/internal/lazyregexp"
)

// reasonUnread is the reason for refusing a request that is too long to read.
const reasonUnread = "the request is too long to be shown"

// Patterns for the beginning of an event that asks for something. They suffice
// because Ethos puts the ids before members that may be long.
var (
	approvalBegins = lazyregexp.New(`"type"\s*:\s*"tool\.approval_required".*?"approvalId"\s*:\s*"([^"\\]+)"`)
	questionBegins = lazyregexp.New(`"type"\s*:\s*"clarify\.request".*?"requestId"\s*:\s*"([^"\\]+)"`)
)

// refuseUnread refuses a request that is too long to read. Without an answer,
// Ethos would wait forever, and obey no abort.
func (w *webTurn) refuseUnread(ctx context.Context, head []byte) {
	b := w.backend
	var err error
	if m := approvalBegins().FindSubmatch(head); m != nil {
		id := string(m[1])
		if !b.pending.addApproval(id, "") || len(b.pending.takeApprovals(id, "")) == 0 {
			return
		}
		err = b.deny(ctx, id, reasonUnread)
		b.pending.answeredApproval(id, err == nil)
	} else if m := questionBegins().FindSubmatch(head); m != nil {
		id := string(m[1])
		if !b.pending.addQuestion(id) || !b.pending.takeQuestion(id) {
			return
		}
		err = b.respond(ctx, id, "", sourceCancel)
		b.pending.answeredQuestion(id, err == nil)
	} else {
		return
	}
	b.log.Warn("rejected a request that is too long", "error", err)
}
