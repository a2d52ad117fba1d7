package hub

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// eventAt returns what an update from another server says about its clients, and the update
// with other ids, because clients of two servers may have the same id. It returns nil for
// other updates.
func eventAt(server string, update []byte) (*core.ClientEvent, []byte) {
	e := &core.ClientEvent{Kind: core.ClientEventKind(rawmsg.MemberText(update, "sessionUpdate"))}
	author := "sentBy"
	switch e.Kind {
	case core.Prompted:
		blocks, _, _ := rawmsg.Member(update, "blocks")
		e.Blocks, _ = strconv.Atoi(string(blocks)) // 0 if it is missing
	case core.TurnEnded:
		e.StopReason, e.Error = v1.StopReason(rawmsg.MemberText(update, "stopReason")), rawmsg.MemberText(update, "error")
	case core.Resolved:
		author = "resolvedBy"
		e.ToolCall, e.Option = rawmsg.MemberText(update, "toolCallId"), rawmsg.MemberText(update, "optionId")
	case core.Left:
		e.By = rawmsg.MemberText(update, "clientId") + "@" + server
		return e, with(update, "clientId", rawmsg.Quote(e.By))
	default:
		return nil, nil
	}
	by := object(update, author)
	e.By = rawmsg.MemberText(by, "clientId") + "@" + server
	return e, with(update, author, with(by, "clientId", rawmsg.Quote(e.By)))
}

// prompts counts a session's unanswered prompts.
type prompts struct {
	here      int
	elsewhere int // those of clients of the other server that has the session
}

func (p *prompts) all() int { return p.here + p.elsewhere }

// note counts a prompt of another server's client, or the end of its turn.
func (p *prompts) note(e *core.ClientEvent) {
	switch e.Kind {
	case core.Prompted:
		p.elsewhere++
	case core.TurnEnded:
		p.elsewhere = max(p.elsewhere-1, 0)
	}
}

// take records how many turns were running at the other server when it opened the session,
// and returns its response without that.
func (p *prompts) take(setup []byte) []byte {
	meta := object(setup, "_meta")
	n, _, _ := rawmsg.Member(meta, turnsMeta)
	p.elsewhere, _ = strconv.Atoi(string(n)) // 0 if the other server doesn't say it
	if meta = rawmsg.Without(meta, turnsMeta); string(meta) == "{}" {
		return rawmsg.Without(setup, "_meta")
	}
	return with(setup, "_meta", meta)
}
