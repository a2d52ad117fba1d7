package relay

import (
	"fmt"
	"slices"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// airForks lists the agents that fork a session after one of their messages if the _meta
// of session/fork has jetbrains.air.fork, and the first version that was seen to do that.
// They neither announce it nor know cursors. Other agents announce it.
var airForks = map[string][]int{
	"@agentclientprotocol/claude-agent-acp": {0, 101, 0},
	"@agentclientprotocol/codex-acp":        {2, 6, 0},
}

// forksAfterMessages reports whether an initialize response is that of an agent with
// jetbrains.air.fork.
func forksAfterMessages(result []byte) bool {
	able, _, _ := rawmsg.Member(result, "agentCapabilities")
	at := able
	for _, name := range []string{"_meta", "jetbrains", "air", "fork"} {
		at, _, _ = rawmsg.Member(objectOf(at), name)
	}
	version, _, _ := rawmsg.Member(objectOf(at), "version")
	inclusive, _, _ := rawmsg.Member(objectOf(at), "inclusive")
	if string(version) == "1" && string(inclusive) == "true" {
		return true
	}
	info, _, _ := rawmsg.Member(result, "agentInfo")
	since, known := airForks[rawmsg.MemberText(objectOf(info), "name")]
	var have [3]int
	n, _ := fmt.Sscanf(rawmsg.MemberText(objectOf(info), "version"), "%d.%d.%d", &have[0], &have[1], &have[2])
	return known && n == len(have) && slices.Compare(have[:], since) >= 0
}

// An airFork is the end of a session's latest turn, after which the agent can fork it.
type airFork struct {
	message string // the agent's message that ended the turn; "" if something else did
	user    string // the latest replayed message of the user
}

// announcesForks reports whether the relay announces cursors for the agent to a client.
func (c *capabilities) announcesForks(to *client) bool {
	return c.air && c.fork && to.cursors && to.mends()
}

// passed records an update that passes. It returns the update that announces the cursor
// before a replayed message of the user, or nil.
func (c *cursors) passed(u *update, replayed bool) []byte {
	switch string(u.kind) {
	case kindMessage:
		if string(u.message) != c.air.message {
			c.air.message = rawjson.String(u.message).String()
		}
	case kindUser:
		if id := rawjson.String(u.message).String(); replayed && id != "" && id != c.air.user {
			c.air.user = id
			return c.announce(id, true)
		}
	case kindThought, kindCall, kindCallUpdate:
		c.air.message = ""
	}
	return nil
}

// dropped records an update that nobody is shown. There is no cursor after a message that the
// session's record lacks.
func (c *cursors) dropped(u *update) {
	if string(u.kind) == kindMessage && rawjson.String(u.message).String() != c.air.message {
		c.air.message = ""
	}
}

// announce returns the update that announces the cursor before a message of the user. It
// returns nil if the agent can't fork the session there. over is set if the previous turn has
// ended; otherwise, more may be added to the agent's message.
func (c *cursors) announce(message string, over bool) []byte {
	after := c.air.message
	c.air.message = ""
	if after == "" || message == "" || !over {
		return nil
	}
	id := airCursor + after
	body := forkCursor(id, message)
	c.note(body)
	if known := c.byID[id]; known != nil { // the journal has no ids of the user's messages
		known.air, known.anchor = after, v1.CursorAnchor{MessageID: after, Position: v1.CursorAfter}
	}
	return body
}

// airCursor begins the ids of the cursors that the relay announces.
const airCursor = "after-"

// forkCursor returns the update that announces a cursor before a message of the user.
func forkCursor(id, message string) []byte {
	u := &v1.CursorUpdate{
		CursorID: id, Capabilities: &v1.CursorCapabilities{Fork: &v1.Marker{}},
		Anchor: &v1.CursorAnchor{Type: v1.CursorUserMessage, MessageID: message, Position: v1.CursorBefore},
	}
	return u.AppendJSON(nil)
}

// airParams returns the params of a session/fork for the agent: a cursor that the relay
// announced becomes the agent's own extension. The caller holds the lock.
func (q *request) airParams(params []byte) []byte {
	if q.session == nil {
		return params
	}
	c := q.session.cursors.byID[rawmsg.MemberText(params, "cursorId")]
	if c == nil || c.air == "" {
		return params
	}
	fork := rawmsg.Encode(map[string]any{"version": 1, "messageId": c.air})
	meta, _, _ := rawmsg.Member(params, "_meta")
	jetbrains, _, _ := rawmsg.Member(objectOf(meta), "jetbrains")
	air, _, _ := rawmsg.Member(objectOf(jetbrains), "air")
	meta = withMember(meta, "jetbrains", withMember(jetbrains, "air", withMember(air, "fork", fork)))
	return withMember(rawmsg.Without(params, "cursorId"), "_meta", meta)
}

// promptID returns the id that the client gave the message in a prompt, or "".
func promptID(params []byte) string {
	meta, _, _ := rawmsg.Member(params, "_meta")
	id := rawmsg.MemberText(objectOf(meta), v1.MessageIDMeta)
	if len(id) > v1.MaxMessageID {
		return ""
	}
	return id
}
