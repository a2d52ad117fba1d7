package relay

import (
	"cmp"
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// The following functions show what a live editor knows from requests and responses, so
// that a session looks the same when it is loaded again.

// pastDecision returns the update that shows how a permission request was decided. It
// skips decisions by rules, because the journal has an update for each of them.
func pastDecision(data []byte) (body []byte, ok bool) {
	made, err := consent.Parse(data)
	if err != nil || made.By == consent.ByRule || made.Call == "" {
		return nil, false
	}
	return rawmsg.Encode(map[string]any{
		"sessionUpdate": kindCallUpdate, "toolCallId": made.Call,
		"_meta": map[string]any{consent.DecidedBy: made.Summary},
	}), true
}

// pastDecisions shows decisions once their calls are announced. An agent may ask about a
// call before it announces it, and the announcement in a cancelled turn is dropped.
type pastDecisions struct {
	known   map[string]bool   // the calls that were announced
	waiting map[string][]byte // by call: the update that shows its decision
}

// announced shows the decision about the call that an update announces, if any.
func (p *pastDecisions) announced(update []byte, show func(body []byte)) {
	call := rawmsg.MemberText(update, "toolCallId")
	if call == "" || p.known[call] {
		return
	}
	if p.known == nil {
		p.known = make(map[string]bool)
	}
	p.known[call] = true
	if body := p.waiting[call]; body != nil {
		delete(p.waiting, call)
		show(body)
	}
}

// add shows a decision, now or when its call is announced.
func (p *pastDecisions) add(body []byte, show func(body []byte)) {
	call := rawmsg.MemberText(body, "toolCallId")
	if p.known[call] {
		show(body)
		return
	}
	if p.waiting == nil {
		p.waiting = make(map[string][]byte)
	}
	p.waiting[call] = body
}

// pastQuestion returns the update that shows a form and its answer. seq is the number
// of its record.
func pastQuestion(data []byte, seq int64) (body []byte, ok bool) {
	params, _, _ := rawmsg.Member(data, "params")
	result, _, _ := rawmsg.Member(data, rawmsg.Result)
	if rawmsg.MemberText(data, "method") != v1.MethodElicitationCreate {
		return nil, false
	}
	u := v1.PastQuestion(params, result, "question-"+strconv.FormatInt(seq, 10))
	if u == nil {
		return nil, false
	}
	return u.AppendJSON(nil), true
}

// pastStop returns the update that shows how a turn ended, unless it ended normally.
func (c *client) pastStop(data []byte) (body []byte, ok bool) {
	result, _, _ := rawmsg.Member(data, rawmsg.Result)
	if reason := rawmsg.MemberText(objectOf(result), "stopReason"); reason != "" && reason != string(v1.StopEndTurn) {
		return rawmsg.Encode(map[string]any{"sessionUpdate": kindInfo, "_meta": map[string]any{v1.StopMeta: reason}}), true
	}
	failure, _, _ := rawmsg.Member(data, rawmsg.Error)
	message := rawmsg.MemberText(objectOf(failure), "message")
	details, _, _ := rawmsg.Member(objectOf(failure), "data")
	if text := cmp.Or(rawmsg.MemberText(objectOf(details), "details"), message); text != "" {
		return c.noticeOf("error", text, ""), true
	}
	return nil, false
}
