package client

import (
	"bytes"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// The names of the capability to resume streams.
const (
	clientAble = "clientCapabilities"
	agentAble  = "agentCapabilities"
	transport  = "transport"
	resumes    = "resumable"
)

// object returns value if it is an object, and an empty object otherwise.
func object(value []byte) []byte {
	if len(value) == 0 || value[0] != '{' {
		return []byte("{}")
	}
	return value
}

// member returns the member of an object that is an object.
func member(value []byte, name string) []byte {
	found, _, _ := rawmsg.Member(value, name)
	return object(found)
}

// askToResume adds the wish for resumable streams to an "initialize" request.
func askToResume(request []byte) []byte {
	params := member(request, "params")
	able := member(params, clientAble)
	able = rawmsg.Set(able, transport, rawmsg.Set(member(able, transport), resumes, []byte("{}")))
	return rawmsg.Set(request, "params", rawmsg.Set(params, clientAble, able))
}

// takeOffer removes the offer of resumable streams from the response to "initialize",
// because it is no business of this side's client. It reports whether there was one.
func takeOffer(response []byte) (rest []byte, offered bool) {
	result, _, _ := rawmsg.Member(response, "result")
	able, _, _ := rawmsg.Member(object(result), agentAble)
	offer, _, _ := rawmsg.Member(object(able), transport)
	if resumable, _, _ := rawmsg.Member(object(offer), resumes); len(resumable) == 0 || resumable[0] != '{' {
		return response, false
	}
	able = setOrRemove(able, transport, rawmsg.Without(offer, resumes))
	return rawmsg.Replace(response, "result", setOrRemove(result, agentAble, able)), true
}

// withoutCursor returns a message without its position in the stream.
func withoutCursor(message []byte) []byte {
	if !bytes.Contains(message, []byte(`"`+remote.Cursor+`"`)) {
		return message
	}
	for _, name := range []string{"params", "result"} {
		part, _, _ := rawmsg.Member(message, name)
		meta, _, _ := rawmsg.Member(object(part), "_meta")
		if cursor, _, _ := rawmsg.Member(object(meta), remote.Cursor); cursor != nil {
			return rawmsg.Replace(message, name, setOrRemove(part, "_meta", rawmsg.Without(meta, remote.Cursor)))
		}
	}
	return message
}

// setOrRemove replaces a member by an object, or removes it if the object is empty.
func setOrRemove(value []byte, name string, by []byte) []byte {
	if string(by) == "{}" {
		return rawmsg.Without(value, name)
	}
	return rawmsg.Replace(value, name, by)
}
