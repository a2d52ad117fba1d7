package remote

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Methods that the transport itself knows.
const (
	methodInitialize = "initialize"
	methodLoad       = "session/load"
	methodCancel     = "$/cancel_request"
)

var errBroken = errors.New("the message is not JSON")

// A Message is what a transport has to know of one.
type Message struct {
	// ID tells requests apart: it begins with s for a string and with n for a
	// number. It is "" where there is none.
	ID      string
	Method  string // "" of an answer
	Session string // the member sessionId of its params
	Opened  string // the member sessionId of its result
	Cancels string // the ID of the request that it takes back
}

// Parse looks at a message. The error is that of text which is no JSON object.
func Parse(text []byte) (Message, error) {
	line, err := rawmsg.Parse(text)
	switch {
	case !errors.Is(err, rawmsg.ErrNoObject):
	case json.Valid(text):
		return Message{}, rawmsg.ErrNoObject
	default:
		return Message{}, errBroken
	}
	m := Message{ID: idOf(line.ID), Method: line.Method}
	m.Session, m.Cancels = namesIn(line.Params)
	m.Opened, _ = namesIn(line.Result)
	if m.Method != methodCancel {
		m.Cancels = ""
	}
	return m, nil
}

// AppendID appends the id as JSON: null where there is none.
func (m Message) AppendID(dst []byte) []byte {
	switch {
	case m.ID == "":
		return append(dst, "null"...)
	case m.ID[0] == 's':
		return append(rawjson.AppendQuoted(append(dst, '"'), m.ID[1:]), '"')
	}
	return append(dst, m.ID[1:]...)
}

// IsRequest reports whether it wants an answer.
func (m Message) IsRequest() bool { return m.Method != "" && m.ID != "" }

// IsAnswer reports whether it answers a request.
func (m Message) IsAnswer() bool { return m.Method == "" }

// IsInitialize reports whether it begins a connection.
func (m Message) IsInitialize() bool { return m.Method == methodInitialize && m.ID != "" }

// IsProtocol reports whether its method is one of the JSON-RPC layer, such as
// $/cancel_request: it belongs to the connection, whatever its params say.
func (m Message) IsProtocol() bool { return strings.HasPrefix(m.Method, "$/") }

// Scope is the session that a message belongs to, and "" for the connection.
func (m Message) Scope() string {
	if m.IsProtocol() {
		return ""
	}
	return m.Session
}

// NeedsSession reports whether a message of a client must name its session in
// the header.
func (m Message) NeedsSession() bool {
	switch m.Method {
	case "session/prompt", "session/cancel", "session/close", "session/delete", "session/fork", methodLoad,
		"session/resume", "session/set_config_option", "session/set_mode", "session/set_model":
		return true
	}
	return m.Scope() != ""
}

// OpensSession reports whether a request that names a session makes it, or
// another one, one that can be spoken of.
func (m Message) OpensSession() bool {
	return m.Method == methodLoad || m.Method == "session/resume" || m.Method == "session/fork"
}

// EndsSession reports whether the session is over once the request is answered.
func (m Message) EndsSession() bool {
	return m.Method == "session/close" || m.Method == "session/delete"
}

func idOf(value []byte) string {
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case value[0] == '"':
		return "s" + rawmsg.Text(value)
	}
	return "n" + string(value)
}

// namesIn are the members sessionId and requestId of an object.
func namesIn(value []byte) (session, request string) {
	if len(value) == 0 || value[0] != '{' {
		return "", ""
	}
	o := rawjson.Walk(value)
	for {
		key, member, ok := o.Next()
		if !ok {
			return session, request
		}
		switch string(key) {
		case "sessionId":
			session = rawmsg.Text(member)
		case "requestId":
			request = idOf(member)
		}
	}
}
