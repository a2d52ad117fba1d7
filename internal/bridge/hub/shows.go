package hub

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// shows is what a front end can show, by its capabilities.
type shows struct {
	form, url bool
	// turns says that it wants to know of every turn of its sessions, also without
	// session/attach: it has turnsMeta in the _meta of its capabilities.
	turns bool
	// times says that it wants the times of replayed updates; see [v1.TimesMeta].
	times bool
}

// turnsMeta is the capability of a front end that shows the turns of others. It is
// told of them by prompt_received and turn_complete, and how many run by the same
// name in _meta of the answer that attaches it.
const turnsMeta = "turnwire.dev/turns"

func newShows(params []byte) shows {
	able := object(params, "clientCapabilities")
	elicitation := object(able, "elicitation")
	meta := object(able, "_meta")
	turns, _, _ := rawmsg.Member(meta, turnsMeta)
	times, _, _ := rawmsg.Member(meta, v1.TimesMeta)
	return shows{form: has(elicitation, "form"), url: has(elicitation, "url"), turns: string(turns) == "true", times: string(times) == "true"}
}

// has reports whether a capability is there.
func has(capabilities []byte, name string) bool {
	value, _, _ := rawmsg.Member(capabilities, name)
	return len(value) > 0 && value[0] == '{'
}

// ask reports whether the front end can answer a request of the agent.
func (s shows) ask(method string, params []byte) bool {
	switch {
	case method == v1.MethodRequestPermission:
		return true
	case method != v1.MethodElicitationCreate:
		return true // an extension: who does not know it says so
	case rawmsg.MemberText(params, "mode") == "url":
		return s.url
	}
	return s.form
}
