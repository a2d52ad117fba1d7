package agent

import (
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Memory is what Turnwire knows about a session that continues, in a new
// process, on a new connection, or after a restart of Turnwire.
type Memory struct {
	Prompted bool      // the session has had a prompt
	ForkOf   string    // the session that this one was copied from, which continues too; "" for none
	Rewound  bool      // the copy ends before the end of the original, so the agent must not continue from its own record of the original
	State    Raw       // from the last [State] event; nil for none
	History  []Message // the conversation, oldest first; only the newest part if it is too long
}

// A Message is what one side said in a finished turn.
type Message struct {
	Role string `json:"role" jsonschema:"enum=user,enum=agent"`
	Text string `json:"text"`
}

// The roles of a [Message].
const (
	RoleUser  = "user"
	RoleAgent = "agent"
)

// MaxState is the size limit of an agent's saved state, in bytes of JSON.
const MaxState = 1 << 20

// Memory returns what is known about the session.
func (o *Options) Memory() Memory {
	if o.Recall == nil {
		return Memory{}
	}
	return o.Recall()
}

// KeyState returns the state of an agent that stores the conversation itself,
// under key.
func KeyState(key string) *State { return &State{State: rawjson.AppendString([]byte(nil), key)} }

// Key returns the key of a [KeyState], or "" if the state is something else. It
// is also "" for a fork, because two sessions never share a conversation.
func (m Memory) Key() string {
	var key string
	if m.ForkOf != "" || exactjson.Unmarshal(m.State, &key) != nil {
		return ""
	}
	return key
}
