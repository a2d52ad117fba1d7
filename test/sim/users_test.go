package sim

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

// able are the capabilities of clients.
var able = []object{
	{},
	{"elicitation": object{"form": object{}, "url": object{}}},
	{
		"elicitation": object{"form": object{}},
		"session":     object{"notices": object{}, "compaction": object{}, "configOptions": object{"boolean": object{}}, "cursors": object{}},
		"fs":          object{"readTextFile": true, "writeTextFile": true}, "terminal": true,
		"_meta": object{"turnwire.dev/times": true, "turnwire.dev/fork": true, "terminal_output": true},
	},
	{"elicitation": object{"form": object{}}, "plan": object{}, "subagents": object{}, "_meta": object{"turnwire.dev/turns": true, "turnwire.dev/events": true}},
}

// extraOps are kinds of steps that replace others, with their weights.
var extraOps = []struct {
	op     op
	weight int
}{{opAsk, 6}, {opQuery, 4}, {opAct, 4}}

// add replaces some steps by more of what users do.
func (p *Plan) add(r *rand.Rand) {
	total := 0
	for _, e := range extraOps {
		total += e.weight
	}
	for i := range p.Steps {
		if i < 3 || r.IntN(8) > 0 {
			continue
		}
		n := r.IntN(total)
		for _, e := range extraOps {
			if n -= e.weight; n < 0 {
				p.Steps[i].Op = e.op
				break
			}
		}
	}
}

// steerToken returns a text that occurs only once in the world.
func (c *client) steerToken() string {
	c.world.mu.Lock()
	defer c.world.mu.Unlock()
	c.asked++
	return fmt.Sprintf("S%d.%d", c.number, c.asked)
}

// ask sends one of the requests that clients seldom send.
func ask(_ *World, c *client, id string, s *Step) string {
	token := c.steerToken()
	all := []struct {
		method string
		params object
	}{
		{"session/set_mode", object{"modeId": [...]string{"ask", "go", "none"}[s.C/16%3]}},
		{"session/set_config_option", object{"configId": "loud", "value": [...]any{"on", "off", "none", true}[s.C/16%4]}},
		{"session/set_config_option", object{"configId": "fast", "type": "boolean", "value": s.C/16%2 == 0}},
		{"session/set_title", object{"title": "Title " + token}},
		{"session/list", object{"cwd": cwd}},
		{"session/list", object{"cursor": "bogus"}},
		{"_session/steering", object{"prompt": []object{{"type": "text", "text": token}}}},
		{"authenticate", object{"methodId": "none"}},
		{"no/such_method", object{}},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few requests
	if one.method != "session/list" && one.method != "authenticate" {
		one.params["sessionId"] = id
	}
	c.call(one.method, one.params)
	return one.method
}

// respond answers a request that isn't about a permission.
func (c *client) respond(of *request, s *Step) string {
	var result any
	switch of.method {
	case "elicitation/create":
		if i := readForm(of.line); i != nil {
			return c.answerInquiry(of, i, s)
		}
		answer := c.name + "-" + strings.Trim(of.id, `"`) // AG-UI agents name a turn after it
		result = [...]object{
			{"action": "accept", "content": object{"answer": answer}}, {"action": "accept"}, {"action": "decline"}, {"action": "cancel"}, {"action": "bogus"},
		}[s.C%5]
	case methodPoll:
		return c.answerPoll(of, s)
	case "fs/read_text_file":
		result = object{"content": "text"}
	case "terminal/create":
		result = object{"terminalId": "t-" + strings.Trim(of.id, `"`)}
		c.world.mu.Lock()
		c.terminal = of.session
		c.world.mu.Unlock()
	case "terminal/output":
		result = object{"output": "text", "truncated": false}
		if c.agent.Skills&inquires != 0 && s.C%3 == 0 {
			result = object{"output": "text", "truncated": true, "exitStatus": object{"exitCode": 1, "signal": "SIGHUP"}}
		}
	default:
		result = object{}
	}
	if c.agent.Skills&inquires != 0 && s.C/10%6 == 0 && of.method != "elicitation/create" {
		result = object{"nothing": true} // not what was asked for
	}
	c.write(object{"id": json.RawMessage(of.id), "result": result})
	return "answers " + of.method
}

// query lets an AHP client send a request.
func query(w *World, m *mirror, id string, s *Step) string {
	channel, session := m.channel(id), m.session(id)
	all := []struct {
		method string
		params object
	}{
		{"ping", object{}},
		{"listSessions", object{"limit": 2}},
		{"resolveSessionConfig", object{"provider": m.agent.Name, "config": object{}}},
		{"sessionConfigCompletions", object{}},
		{"fetchTurns", object{"channel": channel}},
		{"completions", object{"channel": channel, "text": "/d @a", "offset": [...]int{2, 5}[s.C/16%2]}},
		{"resourceRead", object{"uri": "file:///work/none.txt"}},
		{"resourceList", object{"uri": "file:///work/none"}},
		{"resourceResolve", object{"uri": "file:///work/none.txt"}},
		{"authenticate", object{}},
		{"subscribe", object{"channel": session}},
		{"subscribe", object{"channel": "nowhere:/none"}},
		{"noSuchMethod", object{}},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few requests
	if one.method == "fetchTurns" {
		if m.isFetching() {
			return ""
		}
		w.mu.Lock()
		if cursor := m.chat(id).TurnsNextCursor; cursor != "" {
			one.params["cursor"] = cursor
		}
		w.mu.Unlock()
	}
	m.call(one.method, one.params)
	return m.name + " requests " + one.method
}

// act lets an AHP client change a session.
func act(w *World, m *mirror, id string, s *Step) string {
	w.mu.Lock()
	input, asks := "", ""
	if turn := m.chat(id).ActiveTurn; turn != nil {
		for i := range turn.ResponseParts {
			if p := &turn.ResponseParts[i]; p.Request != nil && p.Response == "" {
				input, asks = p.Request.ID, p.Request.Message
			}
		}
	}
	w.mu.Unlock()
	about := "about " + id
	message := object{"text": "later", "origin": object{"kind": "user"}}
	all := []object{
		{"type": "session/titleChanged", "title": about},
		{"type": "session/isReadChanged", "isRead": s.C/16%2 == 0},
		{"type": "session/isArchivedChanged", "isArchived": s.C/16%2 == 0},
		{"type": "session/configChanged", "config": object{"mode": "go", "loud": "on"}},
		{"type": "session/activeClientSet", "activeClient": object{"clientId": m.name}},
		{"type": "chat/draftChanged", "draft": message},
		{"type": "chat/queuedMessagesReordered", "order": []string{"none"}},
		{"type": "chat/pendingMessageRemoved", "kind": "queued", "id": "none"},
		{"type": "chat/inputAnswerChanged", "requestId": input, "questionId": "answer"},
		{"type": "chat/inputCompleted", "requestId": input, "response": [...]string{"accept", "decline", "cancel"}[s.C/16%3]},
		{"type": "chat/noSuchAction"},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few actions
	if s.C%2 == 0 && input != "" {
		one = all[9]
	}
	if one["response"] == "accept" {
		w.accept(inquiryIn(asks))
	}
	channel := m.channel(id)
	if s.B%2 == 0 && strings.HasPrefix(fmt.Sprint(one["type"]), "session/") {
		channel = m.session(id)
	}
	m.dispatchOn(channel, id, one)
	return fmt.Sprint(m.name, " does ", one["type"])
}
