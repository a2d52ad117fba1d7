package sim

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A keptSession is a session that an agent saves itself, as most ACP agents do.
type keptSession struct {
	agent   *agentSpec
	cwd     string
	updates [][]byte        // as they were sent
	open    map[string]bool // the calls that have not ended
}

// An agentMemory says what an agent can do with the sessions that it saves.
type agentMemory struct{ loads, resumes, lists, deletes, closes bool }

// agentMemories are the ways of real agents.
var agentMemories = [...]agentMemory{
	{loads: true},
	{loads: true, resumes: true, lists: true, deletes: true, closes: true},
	{resumes: true, closes: true},
	{loads: true, lists: true, deletes: true},
	{loads: true, resumes: true, lists: true, closes: true},
}

// memory returns what the agent can do with the sessions that it saves.
func (a *agentSpec) memory(seed uint64) agentMemory {
	if a.Skills&keeps == 0 {
		return agentMemory{}
	}
	return agentMemories[(seed+uint64(len(a.Name)))%uint64(len(agentMemories))]
}

// declare adds what the agent can do with saved sessions to its capabilities.
func (m agentMemory) declare(capabilities object) {
	sessions, _ := capabilities["sessionCapabilities"].(object)
	if sessions == nil {
		sessions = object{}
	}
	for _, one := range []struct {
		able bool
		name string
	}{{m.resumes, "resume"}, {m.lists, "list"}, {m.deletes, "delete"}, {m.closes, "close"}} {
		if one.able {
			sessions[one.name] = object{}
		}
	}
	if m.loads {
		capabilities["loadSession"] = true
	}
	if len(sessions) > 0 {
		capabilities["sessionCapabilities"] = sessions
	}
}

// keepWritten saves the updates in lines, if the agent saves sessions.
func (c *actor) keepWritten(lines string) {
	if c.agent.Skills&keeps == 0 {
		return
	}
	for l := range strings.Lines(lines) {
		m, err := rawmsg.Parse([]byte(l))
		if err != nil || m.Method != "session/update" {
			continue
		}
		update, _, _ := rawmsg.Member(m.Params, "update")
		c.keep(rawmsg.MemberText(m.Params, "sessionId"), update)
	}
}

// keep saves an update of a session.
func (c *actor) keep(session string, update []byte) {
	w := c.world
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.kept[session]
	if k == nil || k.agent != c.agent || c.server.killed || rawmsg.MemberText(update, "sessionUpdate") == greeting {
		return
	}
	k.updates = append(k.updates, update)
	id := rawmsg.MemberText(update, "toolCallId")
	switch status := rawmsg.MemberText(update, "status"); {
	case status == "completed", status == "failed":
		delete(k.open, id)
	case rawmsg.MemberText(update, "sessionUpdate") == "tool_call":
		k.open[id] = true
	}
}

// keepNew saves a new session.
func (a *acpLanguage) keepNew(session string, cwd []byte) {
	if a.actor.agent.Skills&keeps == 0 {
		return
	}
	w := a.actor.world
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept[session] = &keptSession{agent: a.actor.agent, cwd: rawmsg.Text(cwd), open: make(map[string]bool)}
}

// keepers is how many ACP agents there are, roughly, for each that saves its sessions.
const keepers = 3

// remember handles a request about saved sessions. It returns false if it is none, or the agent
// can't do that.
func (a *acpLanguage) remember(m *message) bool {
	can, w := a.actor.agent.memory(a.actor.world.plan.Seed), a.actor.world
	id := m.params.SessionID
	w.mu.Lock()
	k := w.kept[id]
	if k != nil && k.agent != a.actor.agent {
		k = nil
	}
	w.mu.Unlock()
	switch {
	case m.Method == "session/load" && can.loads && k != nil:
		a.sessions[id] = true
		w.see(&event{kind: reopened, actor: a.actor, session: id})
		a.replay(id, k)
		a.reply(m.ID, object{})
	case m.Method == "session/resume" && can.resumes && k != nil:
		a.sessions[id] = true
		w.see(&event{kind: reopened, actor: a.actor, session: id})
		a.reply(m.ID, object{})
	case m.Method == "session/list" && can.lists:
		a.reply(m.ID, object{"sessions": a.list(rawmsg.Text(m.params.Cwd))})
	case m.Method == "session/delete" && can.deletes && k != nil:
		a.actor.cancel(id, m.Method)
		delete(a.sessions, id)
		w.mu.Lock()
		delete(w.kept, id)
		w.mu.Unlock()
		a.reply(m.ID, object{})
	case m.Method == "session/close" && can.closes:
		a.actor.cancel(id, m.Method)
		delete(a.sessions, id)
		a.reply(m.ID, object{})
	case m.Method == "session/load" && can.loads, m.Method == "session/resume" && can.resumes, m.Method == "session/delete" && can.deletes:
		a.actor.write(line(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32002, "message": "no such session"}}))
	default:
		return false
	}
	return true
}

// replay shows the history of a session. Its calls have all ended.
func (a *acpLanguage) replay(id string, k *keptSession) {
	var lines strings.Builder
	w := a.actor.world
	w.mu.Lock()
	updates := slices.Clone(k.updates)
	a.actor.mu.Lock()
	runs := len(a.actor.turns[id]) > 0
	a.actor.mu.Unlock()
	if !runs {
		for _, call := range sortedKeys(k.open) {
			updates = append(updates, encode(object{"sessionUpdate": "tool_call_update", "toolCallId": call, "status": "failed"}))
		}
	}
	w.mu.Unlock()
	for _, u := range updates {
		lines.WriteString(line(object{"jsonrpc": "2.0", "method": "session/update", "params": object{"sessionId": id, "update": json.RawMessage(u)}}))
	}
	a.actor.repeat(lines.String())
}

// repeat writes lines that the agent has saved.
func (c *actor) repeat(lines string) {
	c.writing <- struct{}{}
	defer func() { <-c.writing }()
	if c.ctx.Err() == nil {
		_, _ = io.WriteString(c.out, lines) // fails when the program was killed
	}
}

// list returns the agent's saved sessions.
func (a *acpLanguage) list(cwd string) []object {
	w := a.actor.world
	w.mu.Lock()
	defer w.mu.Unlock()
	all := []object{}
	for _, id := range sortedKeys(w.kept) {
		if k := w.kept[id]; k.agent == a.actor.agent && (cwd == "" || cwd == k.cwd) {
			all = append(all, object{"sessionId": id, "cwd": k.cwd})
		}
	}
	return all
}

// keepSessions lets some ACP agents save their sessions, except for liars, which would also
// remember their lies, and for those that fork sessions.
func (p *Plan) keepSessions(r *rand.Rand) {
	for i := range p.Agents {
		if a := &p.Agents[i]; a.Kind == acpAgent && r.IntN(keepers) == 0 && a.Skills&forgets == 0 && a.Manner != malicious {
			a.Skills |= keeps
		}
	}
}
