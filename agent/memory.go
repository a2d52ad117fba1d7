package agent

import (
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Memory is what is known of a session that goes on: with another process, with
// the next connection, or after a restart of everything.
type Memory struct {
	Prompted bool   // the session has had a prompt
	ForkOf   string // the session that it began as a copy of, which goes on too; "" for none
	State    Raw    // that of the last [State] event; nil for none
	History  []Said // what was said, oldest first, bounded; the end of it if it was too much
}

// Said is what one side has said in a turn that is over.
type Said struct {
	Role string `json:"role" jsonschema:"enum=user,enum=agent"`
	Text string `json:"text"`
}

// The roles of [Said].
const (
	RoleUser  = "user"
	RoleAgent = "agent"
)

// MaxState bounds what an agent may have kept for it, in bytes of JSON.
const MaxState = 1 << 20

// Memory returns what there is of the session.
func (o *Options) Memory() Memory {
	if o.Recall == nil {
		return Memory{}
	}
	return o.Recall()
}

// KeyState is the state of an agent that keeps the conversation itself, under a
// key.
func KeyState(key string) *State { return &State{State: rawjson.AppendString([]byte(nil), key)} }

// Key returns the key of a [KeyState], "" where the state is none. Two sessions
// never have one conversation, so a fork has no key.
func (m Memory) Key() string {
	var key string
	if m.ForkOf != "" || exactjson.Unmarshal(m.State, &key) != nil {
		return ""
	}
	return key
}
