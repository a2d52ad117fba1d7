package wire

import (
	"bytes"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Dialect is the output of agents that speak the protocol. An event is an
// update, a request to the client, or the response to a request from the
// client.
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

// methodCancelRequest has no constant in package v1.
const methodCancelRequest = "$/cancel_request"

// recognise requires a method or result members that no other protocol over
// JSON-RPC has. For example, Ethos has its own "initialize".
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

// has reports whether a JSON value is an object with the member key.
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
