package hub

import (
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// clientEvent adds what another server says about its clients to the session, and reports
// whether the update says that. The caller holds the lock.
func (s *session) clientEvent(update []byte) bool {
	e := &core.ClientEvent{Kind: core.ClientEventKind(rawmsg.MemberText(update, "sessionUpdate"))}
	author := "sentBy"
	switch e.Kind {
	case core.Prompted:
		blocks, _, _ := rawmsg.Member(update, "blocks")
		e.Blocks, _ = strconv.Atoi(string(blocks)) // 0 if it is missing
		s.promptsElsewhere++
	case core.TurnEnded:
		e.StopReason, e.Error = v1.StopReason(rawmsg.MemberText(update, "stopReason")), rawmsg.MemberText(update, "error")
		s.promptsElsewhere = max(s.promptsElsewhere-1, 0)
	case core.Resolved:
		author = "resolvedBy"
		e.ToolCall, e.Option = rawmsg.MemberText(update, "toolCallId"), rawmsg.MemberText(update, "optionId")
	case core.Left:
		author = ""
	default:
		return false
	}
	// Clients of two servers may have the same id.
	if author == "" {
		e.By = s.peer.idOf(update)
		update = with(update, "clientId", rawmsg.Quote(e.By))
	} else {
		by := object(update, author)
		e.By = s.peer.idOf(by)
		update = with(update, author, with(by, "clientId", rawmsg.Quote(e.By)))
	}
	s.addEvent(e, update)
	return true
}

// idOf returns the id of the other server's client that an object names.
func (u *upstream) idOf(client []byte) string {
	return rawmsg.MemberText(client, "clientId") + "@" + u.peer
}

// takeTurns records how many turns were running at the other server when it opened the
// session, and returns its response without that.
func (s *session) takeTurns(setup []byte) []byte {
	if s.peer == nil {
		return setup
	}
	meta := object(setup, "_meta")
	n, _, _ := rawmsg.Member(meta, turnsMeta)
	s.promptsElsewhere, _ = strconv.Atoi(string(n)) // 0 if the other server doesn't say it
	if meta = rawmsg.Without(meta, turnsMeta); string(meta) == "{}" {
		return rawmsg.Without(setup, "_meta")
	}
	return with(setup, "_meta", meta)
}

// turns returns the number of running turns.
func (s *session) turns() int { return s.prompts + s.promptsElsewhere }
