package hub

import (
	"bytes"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// remember adds an answer to the history, in the form in which a loaded session shows
// it. Clients that were asked already know the answer.
func (k *pendingRequest) remember(answer core.Answer) {
	if k.session == nil {
		return
	}
	var body []byte
	switch k.method {
	case v1.MethodRequestPermission:
		body = k.pastDecision(answer)
	case v1.MethodElicitationCreate:
		body = k.pastForm(answer.Result)
	}
	if body == nil {
		return
	}
	c := k.session.envelope.change(body)
	c.aware, c.past = true, true
	if call := k.call().ID; k.method == v1.MethodRequestPermission && !k.session.history.announces(call) {
		k.session.history.await(call, c)
		return
	}
	k.session.add(c)
}

func (k *pendingRequest) pastDecision(answer core.Answer) []byte {
	made := consent.Of(k.call(), time.Now()).Answered(answer.Chosen, nil).InPart(answer.Accepted != nil)
	if made.Call == "" {
		return nil
	}
	return rawmsg.Encode(map[string]any{
		"sessionUpdate": "tool_call_update", "toolCallId": made.Call,
		"_meta": map[string]any{consent.DecidedBy: made.Summary},
	})
}

func (k *pendingRequest) pastForm(result []byte) []byte {
	if bytes.Contains(k.params, []byte(`"`+v1.SecretMeta+`"`)) {
		result = rawmsg.Without(result, "content") // only the agent may see the values of secret fields
	}
	if u := v1.PastQuestion(k.params, result, "question-"+strconv.FormatInt(k.session.history.last+1, 10)); u != nil {
		return u.AppendJSON(nil)
	}
	return nil
}
