package remote

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// The methods that the transport itself interprets.
const (
	methodInitialize = "initialize"
	methodLoad       = "session/load"
	methodFork       = "session/fork"
	methodCancel     = "$/cancel_request"
)

var errBroken = errors.New("the message is not JSON")

// A Message contains the parts of a message that a transport needs.
type Message struct {
	// ID identifies the request. It starts with s for a string and with n for a number.
	// It is "" if there is no id.
	ID      string
	Method  string // "" for a response
	Session string // the member sessionId of its params
	Opened  string // the member sessionId of its result
	Failed  bool   // it is the error of a request
	Cancels string // the ID of the request that it cancels
}

// Parse parses a message. It returns an error if text is not a JSON object.
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
	m.Failed = line.Method == "" && line.Error != nil
	if m.Method != methodCancel {
		m.Cancels = ""
	}
	return m, nil
}

// AppendID appends the id as JSON, or null if ID is "".
func (m Message) AppendID(dst []byte) []byte {
	switch {
	case m.ID == "":
		return append(dst, "null"...)
	case m.ID[0] == 's':
		return append(rawjson.AppendQuoted(append(dst, '"'), m.ID[1:]), '"')
	}
	return append(dst, m.ID[1:]...)
}

// IsRequest reports whether the message expects a response.
func (m Message) IsRequest() bool { return m.Method != "" && m.ID != "" }

// IsAnswer reports whether the message is a response.
func (m Message) IsAnswer() bool { return m.Method == "" }

// IsInitialize reports whether the message starts a connection.
func (m Message) IsInitialize() bool { return m.Method == methodInitialize && m.ID != "" }

// IsProtocol reports whether the method belongs to the JSON-RPC layer, such as
// $/cancel_request. Such a message belongs to the connection, whatever its params
// contain.
func (m Message) IsProtocol() bool { return strings.HasPrefix(m.Method, "$/") }

// Scope returns the session that a message belongs to, or "" for the connection.
func (m Message) Scope() string {
	if m.IsProtocol() {
		return ""
	}
	return m.Session
}

// NeedsSession reports whether a client's message must name its session in the header.
func (m Message) NeedsSession() bool {
	switch m.Method {
	case "session/prompt", "session/cancel", "session/close", "session/delete", methodFork, methodLoad,
		"session/resume", "session/set_config_option", "session/set_mode", "session/set_model":
		return true
	}
	return m.Scope() != ""
}

// OpensSession reports whether a request that names a session opens that session or
// another one.
func (m Message) OpensSession() bool {
	switch m.Method {
	case methodLoad, "session/resume", "session/attach", methodFork:
		return true
	}
	return false
}

// EndsSession reports whether the session ends for the client when the request is answered with
// a result.
func (m Message) EndsSession() bool {
	switch m.Method {
	case "session/close", "session/delete", "session/detach":
		return true
	}
	return false
}

// UsesSession reports whether the session that a request names is open for the client if the
// request is answered with a result.
func (m Message) UsesSession() bool {
	return m.Method != methodFork && m.Method != "session/set_title" && !m.EndsSession()
}

func idOf(value []byte) string {
	switch {
	case len(value) == 0 || string(value) == "null":
		return ""
	case value[0] == '"':
		return "s" + string([]rune(rawmsg.Text(value))) // with U+FFFD for invalid bytes, as AppendID writes them
	}
	return "n" + string(value)
}

// namesIn returns the members sessionId and requestId of an object.
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
