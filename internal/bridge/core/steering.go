package core

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// RequirePrompt returns the params of _session/steering with the request to start no
// turn: the answer is then [v1.PromptRequired]. owned is set if the client itself has
// decided what happens without a turn; then the params are unchanged.
func RequirePrompt(params []byte) (_ []byte, owned bool) {
	meta := objectIn(params, "_meta")
	steering := objectIn(meta, v1.SteeringMeta)
	if value, _, _ := rawmsg.Member(steering, "idleBehavior"); value != nil {
		return params, true
	}
	steering = rawmsg.Set(steering, "idleBehavior", rawmsg.Quote(string(v1.PromptRequired)))
	return rawmsg.Set(params, "_meta", rawmsg.Set(meta, v1.SteeringMeta, steering)), false
}

// objectIn returns the named member if it is an object, otherwise an empty object.
func objectIn(object []byte, name string) []byte {
	if value, _, _ := rawmsg.Member(object, name); len(value) > 0 && value[0] == '{' {
		return value
	}
	return []byte("{}")
}
