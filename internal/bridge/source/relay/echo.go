package relay

import (
	"bytes"
	"slices"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// An echo is what the agent may repeat of a prompt, before it says anything else. Some agents send
// each prompt back as the user's message.
type echo struct {
	of     *core.Call
	blocks [][]byte
}

// expectEcho records that the agent gets a prompt.
func (t *turn) expectEcho(q *request) {
	if len(t.prompts) == 0 && t.stale == 0 {
		t.echoes = nil
	}
	e := &echo{of: q.call}
	if blocks, _, _ := rawmsg.Member(q.params, "prompt"); len(blocks) > 0 && blocks[0] == '[' {
		e.blocks = slices.Collect(rawjson.Elements(blocks))
	}
	t.echoes = append(t.echoes, e)
}

// echoed returns the prompt whose next block an update repeats, or nil.
func (t *turn) echoed(kind string, body []byte) *core.Call {
	switch kind {
	case kindUser:
		content, _, _ := rawmsg.Member(body, "content")
		for _, e := range t.echoes {
			if len(e.blocks) > 0 && sameBlock(e.blocks[0], content) {
				e.blocks = e.blocks[1:]
				return e.of
			}
		}
	case kindMessage, kindThought, kindCall:
		if len(t.prompts) <= 1 && t.stale == 0 { // otherwise it may be an answer to an earlier one
			t.echoes = nil
		}
	}
	return nil
}

// sameBlock reports whether two content blocks are equal, or texts with different annotations.
func sameBlock(a, b []byte) bool {
	const text = "text"
	if rawmsg.MemberText(a, "type") == text && rawmsg.MemberText(b, "type") == text {
		return rawmsg.MemberText(a, text) == rawmsg.MemberText(b, text)
	}
	return bytes.Equal(a, b)
}
