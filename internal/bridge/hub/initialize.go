package hub

import (
	"bytes"
	"cmp"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// initialize returns the hub's initialize params for the agent. It offers no files or
// terminals: these belong to a client, and a session must be able to continue without
// it. To another server, it says that it wants to know about its clients' turns.
func initialize(version, peer string) []byte {
	meta := map[string]any{v1.TimesMeta: true, v1.ForkMeta: true}
	if peer != "" {
		meta[turnsMeta] = true
	}
	return rawmsg.Encode(map[string]any{
		"protocolVersion": 1,
		"clientInfo":      map[string]string{"name": "turnwire-serve", "title": "Turnwire", "version": cmp.Or(version, "0")},
		"clientCapabilities": map[string]any{
			"elicitation": map[string]any{"form": map[string]any{}, "url": map[string]any{}},
			"session":     map[string]any{"configOptions": map[string]any{"boolean": map[string]any{}}, "cursors": map[string]any{}},
			"_meta":       meta,
		},
	})
}

// initialize answers with the agent's initialize response, or waits for it.
func (cl *client) initialize(q *request) {
	if cl.initialized && len(cl.attached) > 0 {
		q.fail(-32600, "the connection is already initialized and has a session")
		return
	}
	cl.shows = newShows(q.params)
	if info, _, _ := rawmsg.Member(q.params, "clientInfo"); len(info) > 0 && info[0] == '{' {
		cl.name = cmp.Or(rawmsg.MemberText(info, "title"), rawmsg.MemberText(info, "name"), cl.id)
	}
	cl.hub.log.Info("a client connected", "client", cl.id, "name", cl.name)
	u := cl.hub.connect()
	u.whenInitialized(func(failure []byte) {
		if failure != nil {
			q.answer(rawmsg.Error, failure)
			return
		}
		if cl.Host {
			cl.introduced = q.call
		}
		cl.initialized = true
		q.answer(rawmsg.Result, cl.shows.offered(u.initialize))
	})
}

// introduce sends initialize to the source. The caller holds the lock.
func (u *upstream) introduce() {
	u.initializing = true
	c := u.call(nil, v1.MethodInitialize, initialize(u.hub.cfg.Version, u.peer), u.greeted)
	c.OnAmend(func(result []byte) { // the agent was slow to start, or was started again
		u.hub.mu.Lock()
		defer u.hub.mu.Unlock()
		if u.hub.upstream != u {
			return // it has ended
		}
		u.loads, u.initialize = loads(result), withAttach(bytes.Clone(result))
		for _, cl := range u.hub.clients {
			cl.amend(u.initialize)
		}
	})
}

// amend passes on a newer initialize response to a host, whose own clients may connect later.
// The caller holds the lock.
func (cl *client) amend(initialize []byte) {
	if call := cl.introduced; call != nil {
		offered := cl.shows.offered(initialize)
		cl.enqueue(message{size: len(offered), do: func(core.View) { call.Amend(offered) }})
	}
}

// whenInitialized calls do with the lock held, now or when the agent's initialize response
// arrives. If initialize failed, failure is the error; the next caller tries again. The caller
// holds the lock.
func (u *upstream) whenInitialized(do func(failure []byte)) {
	if u.initialize != nil {
		do(nil)
		return
	}
	u.waiting = append(u.waiting, do)
	if !u.initializing {
		u.introduce()
	}
}

// greeted handles the agent's initialize response. The caller holds the lock.
func (u *upstream) greeted(result, failure []byte) {
	waiting := u.waiting
	u.waiting, u.initializing = nil, false
	if failure == nil {
		u.loads, u.initialize = loads(result), withAttach(result)
	}
	for _, do := range waiting {
		do(failure)
	}
}

// loads reports whether an initialize response offers session/load.
func loads(result []byte) bool {
	value, _, _ := rawmsg.Member(object(result, "agentCapabilities"), "loadSession")
	return string(value) == "true"
}

// withAttach adds the hub's own capabilities to the agent's initialize response: live
// sessions can be loaded, resumed and attached to, whatever the agent saves.
func withAttach(result []byte) []byte {
	able := object(result, "agentCapabilities")
	sessions := object(able, "sessionCapabilities")
	for _, name := range []string{"attach", "resume"} {
		if value, _, _ := rawmsg.Member(sessions, name); value == nil || string(value) == "null" {
			sessions = with(sessions, name, []byte("{}"))
		}
	}
	able = with(with(able, "sessionCapabilities", sessions), "loadSession", []byte("true"))
	return with(result, "agentCapabilities", able)
}

// object returns the named member if it is an object, otherwise an empty object.
func object(from []byte, name string) []byte {
	if value, _, _ := rawmsg.Member(from, name); len(value) > 0 && value[0] == '{' {
		return value
	}
	return []byte("{}")
}

// with returns object with a member set.
func with(object []byte, name string, value []byte) []byte {
	rest := rawmsg.Without(object, name)
	out := rawjson.AppendString([]byte("{"), name)
	out = append(append(out, ':'), value...)
	if len(rest) > len("{}") {
		out = append(out, ',')
	}
	return append(out, rest[1:]...)
}
