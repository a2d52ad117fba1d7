package relay

import (
	"bytes"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote"
)

// capabilities are the agent's capabilities that the relay itself needs.
type capabilities struct {
	load, resume, list bool

	remove bool // the agent deletes its sessions, or nobody can, because it lists them itself
	fork   bool
	air    bool // it forks sessions after its messages, without cursors
	title  bool // the agent handles titles, because it lists its sessions itself
	// shared is set if other clients use the agent's sessions too: updates between this
	// editor's turns belong to theirs.
	shared bool
}

// reuseIDs reports whether the agent may give a new session the id of a saved one, because it
// does not save its sessions.
func (c *capabilities) reuseIDs() bool { return !c.load && !c.resume }

// nothingKnown is the initialize response on behalf of an agent that has not answered
// yet. It offers nothing.
var nothingKnown = []byte(`{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}`)

// initialize starts the agent for the editor's first "initialize". It answers with the
// agent's cached or actual response, or after a while with nothingKnown. The caller
// holds the lock.
func (r *relay) initialize(q *request) {
	r.client.initialized(q.params)
	if _, err := r.upstream(""); err != nil {
		r.client.initialize = nil
		r.requests.fail(q, err)
		return
	}
	if known := r.cache.recall(r.client.initialize); known != nil {
		r.introduce(q, known)
		return
	}
	time.AfterFunc(initializeWait, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.requests.waits(q) && !r.ending {
			r.log.Warn("the agent has not responded to initialize yet; its capabilities are offered to later clients", "agent", r.cfg.Agent.Name)
			r.introduce(q, nothingKnown)
		}
	})
}

// introduce answers "initialize" with an agent's response. The caller holds the lock.
func (r *relay) introduce(q *request, result []byte) {
	r.client.negotiated(result)
	r.client.introduced = q.call
	r.requests.reply(q, introduction(r, result))
}

// introduction returns an agent's response as the client gets it. The caller holds the lock.
func introduction(r *relay, result []byte) []byte {
	if r.client.mends() {
		result = r.offered(result)
	}
	return r.named(result)
}

// named returns an initialize response with Turnwire's name, and the agent's name in
// the title.
func (r *relay) named(result []byte) []byte {
	where := "agentInfo"
	if version, _, _ := rawmsg.Member(result, "protocolVersion"); string(version) != "1" {
		where = "info" // the member's name from version 2 on
	}
	info, _, _ := rawmsg.Member(result, where)
	name := rawmsg.MemberText(info, "title")
	if name == "" {
		name = rawmsg.MemberText(info, "name")
	}
	if name == "" {
		name = r.cfg.Agent.Name
	}
	out := []byte("{}")
	if len(info) > 0 && info[0] == '{' {
		out = bytes.Clone(info)
	}
	out = withMember(out, "name", []byte(`"turnwire"`))
	out = withMember(out, "title", rawmsg.Quote(name))
	out = withMember(out, "version", rawmsg.Quote(r.cfg.Version))
	result = withMember(result, where, out)
	if r.cfg.Agent.URL != "" {
		return remote.WithoutTerminalLogins(result)
	}
	return withLogin(result, r.cfg.Agent.Login)
}

// withMember returns object with a member added or replaced.
func withMember(object []byte, name string, value []byte) []byte {
	if len(object) == 0 || object[0] != '{' {
		object = []byte("{}")
	}
	if old, _, _ := rawmsg.Member(object, name); old != nil {
		return rawmsg.Replace(object, name, value)
	}
	end := bytes.LastIndexByte(object, '}')
	out := append([]byte(nil), object[:end]...)
	if len(bytes.TrimSpace(object[1:end])) > 0 {
		out = append(out, ',')
	}
	out = append(append(append(out, '"'), name...), `":`...)
	return append(append(out, value...), '}')
}

// initializedAgain answers a repeated "initialize". The caller holds the lock.
func (q *request) initializedAgain(m jsonrpc.Message) {
	if m.Error != nil {
		q.pass(m)
		return
	}
	u := q.up
	u.relay.client.initialize = q.params
	u.handshake.able = abilities(m.Result)
	u.relay.introduce(q, m.Result)
}

func abilities(result []byte) (c capabilities) {
	able, _, _ := rawmsg.Member(result, "agentCapabilities")
	load, _, _ := rawmsg.Member(able, "loadSession")
	sessions, _, _ := rawmsg.Member(able, "sessionCapabilities")
	has := func(name string) bool {
		value, _, _ := rawmsg.Member(sessions, name)
		return len(value) > 0 && value[0] == '{'
	}
	lists := has("list")
	return capabilities{load: string(load) == "true", resume: has("resume"), list: lists, remove: lists || has("delete"), fork: has("fork"), air: forksAfterMessages(result), title: lists || has("title"), shared: has("attach")}
}
