package lint

import (
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/rawjson"
)

// Rules about a command that is not an agent, or that is an agent of another kind. The
// lines are not faulty: the command line is.
const (
	Silent     = "silent"
	Echo       = "echo"
	SpeaksACP  = "speaks-acp"
	StreamJSON = "stream-json"
	OnStderr   = "events-on-stderr"
	OtherAgent = "other-agent"
	NoACP      = "prints-events"
)

// IsMisuse reports whether a rule is about the command line rather than about a line.
func IsMisuse(rule string) bool {
	switch rule {
	case Silent, Echo, SpeaksACP, StreamJSON, OnStderr, OtherAgent, NoACP:
		return true
	}
	return false
}

// isRPC reports whether a JSON object is a message of JSON-RPC, on which ACP is based.
func isRPC(object []byte) bool {
	version, ok := memberOf(object, "jsonrpc")
	return ok && version == "2.0"
}

// isStreamJSON reports whether a line of this type is one that Claude Code prints with
// --output-format stream-json.
func isStreamJSON(line []byte, name string) bool {
	switch name {
	case "system", "assistant", "user", "result", "stream_event", "control_request", "control_response", "rate_limit_event":
		session, ok := memberOf(line, "session_id")
		_, request := memberOf(line, "request_id")
		return ok && session != "" || request
	}
	return false
}

// memberOf returns the text of an object's member.
func memberOf(object []byte, name string) (text string, ok bool) {
	o := rawjson.Walk(object)
	for {
		key, value, more := o.Next()
		if !more {
			return "", false
		}
		if rawjson.String(key).String() == name && len(value) > 0 && value[0] == '"' {
			return rawjson.String(value[1 : len(value)-1]).String(), true
		}
	}
}

// Stderr returns the finding for a program that has printed nothing to stdout, and this
// to stderr. ok is false if stderr explains nothing.
func Stderr(text string) (_ Finding, ok bool) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "Invalid message {") { // the official ACP libraries' answer to a prompt
			return New(SpeaksACP, "the program speaks the Agent Client Protocol"), true
		}
		name, _ := memberOf([]byte(line), "type")
		if slices.Contains(Names(), name) {
			return New(OnStderr, "the program prints its events to stderr"), true
		}
	}
	return Finding{}, false
}

// NotACP returns the finding for a line of a program that should speak ACP. certain means
// that no agent that speaks ACP prints such a line. ok is false if the line says nothing.
func NotACP(line []byte) (_ Finding, certain, ok bool) {
	name, has := memberOf(line, "type")
	switch {
	case !has || isRPC(line):
		return Finding{}, false, false
	case isStreamJSON(line, name):
		return New(StreamJSON, "the program prints Claude Code's stream-json").on(line), true, true
	}
	if !slices.Contains(Names(), name) {
		return Finding{}, false, false
	}
	// Names of one word also occur in logs.
	return New(NoACP, "the program prints events instead of speaking the Agent Client Protocol").on(line), strings.Contains(name, "_"), true
}

// Advice returns the finding and its cure as one line, for an error.
func (f *Finding) Advice() string {
	if f.Help == "" {
		return f.Message
	}
	return f.Message + "; " + strings.ToLower(f.Help[:1]) + strings.TrimSuffix(f.Help[1:], ".")
}
