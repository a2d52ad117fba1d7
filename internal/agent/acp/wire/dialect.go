package wire

import (
	"bytes"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Dialect is what an agent writes that speaks the protocol: an event is an
// update, a request to the client, or the answer to a request of the client.
var Dialect = dialect.Dialect{
	Name:       "acp",
	Types:      types,
	Recognise:  recognise,
	NewDecoder: func() dialect.Decoder { return newDecoder() },
}

func types() []string {
	return []string{
		"agent_message_chunk",
		"agent_thought_chunk",
		"user_message_chunk",
		"tool_call",
		"tool_call_update",
		"plan",
		"available_commands_update",
		"current_mode_update",
		"config_option_update",
		"session_info_update",
		"usage_update",
		"notice",
		"compaction_update",
		v1.MethodRequestPermission,
		v1.MethodElicitationCreate,
		v1.MethodElicitationComplete,
		v1.MethodReadTextFile,
		v1.MethodWriteTextFile,
		methodCancelRequest,
		"answer",
	}
}

// methodCancelRequest is one that package v1 has no name for.
const methodCancelRequest = "$/cancel_request"

// recognise wants the method or the members of a result that no other protocol
// over JSON-RPC has; Ethos has one too, with an "initialize" of its own.
func recognise(line []byte) bool {
	if !bytes.Contains(line, []byte(`"jsonrpc"`)) {
		return false
	}
	m, err := parse(line)
	if err != nil {
		return false
	}
	switch m.Method {
	case v1.MethodSessionUpdate, v1.MethodRequestPermission, v1.MethodElicitationCreate, v1.MethodReadTextFile, v1.MethodWriteTextFile:
		return true
	}
	return has(m.Result, "stopReason") || has(m.Result, "protocolVersion") && has(m.Result, "agentCapabilities")
}

// has reports whether a JSON value is an object with a member key.
func has(value []byte, key string) bool {
	if len(value) == 0 || value[0] != '{' {
		return false
	}
	o := rawjson.Walk(value)
	for {
		name, _, ok := o.Next()
		if !ok {
			return false
		}
		if string(name) == key {
			return true
		}
	}
}
