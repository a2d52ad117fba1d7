package hub

import (
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// shows describes what a client can show, according to its capabilities.
type shows struct {
	form, url bool
	// turns is set if the client wants to know about every turn of its sessions, even
	// without session/attach. Such a client has turnsMeta in the _meta of its
	// capabilities.
	turns bool
	// times is set if the client wants the times of replayed updates; see
	// [v1.TimesMeta].
	times bool
	// forks is set if the client wants session/fork to be offered; see [v1.ForkMeta].
	forks bool
	// cursors is set if the client wants to know at which positions a session can be
	// forked.
	cursors bool
	// booleans is set if the client takes boolean options.
	booleans bool
}

// turnsMeta is the capability of a client that shows other clients' turns. It is
// notified of them with prompt_received and turn_complete. The response that attaches
// it has the number of running turns in _meta, under the same name.
const turnsMeta = "turnwire.dev/turns"

func newShows(params []byte) shows {
	able := object(params, "clientCapabilities")
	elicitation := object(able, "elicitation")
	meta := object(able, "_meta")
	turns, _, _ := rawmsg.Member(meta, turnsMeta)
	times, _, _ := rawmsg.Member(meta, v1.TimesMeta)
	forks, _, _ := rawmsg.Member(meta, v1.ForkMeta)
	return shows{
		form: has(elicitation, "form"), url: has(elicitation, "url"), turns: string(turns) == "true", times: string(times) == "true",
		forks: string(forks) == "true", cursors: has(object(able, "session"), "cursors"),
		booleans: has(object(object(able, "session"), "configOptions"), "boolean"),
	}
}

// offered returns the agent's initialize response for the client. Turnwire's own
// session/fork is only for clients that want it, because the method is unstable.
func (s shows) offered(initialize []byte) []byte {
	able := object(initialize, "agentCapabilities")
	meta := object(able, "_meta")
	if own, _, _ := rawmsg.Member(meta, v1.ForkMeta); s.forks || string(own) != "true" {
		return initialize
	}
	able = with(able, "sessionCapabilities", rawmsg.Without(object(able, "sessionCapabilities"), "fork"))
	return with(initialize, "agentCapabilities", with(able, "_meta", rawmsg.Without(meta, v1.ForkMeta)))
}

// has reports whether a capability is present.
func has(capabilities []byte, name string) bool {
	value, _, _ := rawmsg.Member(capabilities, name)
	return len(value) > 0 && value[0] == '{'
}

// canAnswer reports whether the client can answer a request from the agent.
func (s shows) canAnswer(method string, params []byte) bool {
	switch {
	case method == v1.MethodRequestPermission:
		return true
	case method != v1.MethodElicitationCreate:
		return true // an extension: a client that doesn't support it returns an error
	case rawmsg.MemberText(params, "mode") == "url":
		return s.url
	}
	return s.form
}
