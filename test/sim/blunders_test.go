package sim

import "encoding/json"

// blunder lets a client send what no client should send.
func blunder(_ *World, c *client, s *Step) string {
	switch of := c.requestOf(s); {
	case s.B%4 == 0:
		return c.writeNonsense(s)
	case s.B%4 == 1 && of != nil:
		return c.answerNonsense(of, s)
	}
	elsewhere := object{"sessionId": "none", "prompt": []object{{"type": "text", "text": "wrong"}}}
	all := []struct {
		method string
		params any
		passes bool // nothing is wrong, or the agent may answer it
	}{
		{"session/load", object{"cwd": cwd, "mcpServers": []string{}}, false},
		{"session/load", elsewhere, false},
		{"session/load", object{"sessionId": "none", "cwd": "work", "mcpServers": []string{}}, false},
		{"session/resume", object{"cwd": cwd}, false},
		{"session/resume", object{"sessionId": "none", "cwd": 5}, false},
		{"session/prompt", object{"prompt": []string{}}, false},
		{"session/prompt", elsewhere, false},
		{"session/set_mode", object{"modeId": "ask"}, true},
		{"session/set_config_option", object{"configId": "loud"}, true},
		{"session/set_title", object{"title": "none"}, false},
		{"session/fork", object{}, false},
		{"session/fork", elsewhere, false},
		{"session/list", object{"cwd": 5}, true},
		{"session/close", object{}, true},
		{"session/delete", object{}, true},
		{"session/attach", object{}, false},
		{"session/attach", object{"sessionId": "none", "role": "observer", "historyPolicy": "bogus"}, false},
		{"session/detach", elsewhere, false},
		{"_session/steering", elsewhere, false},
		{"authenticate", object{}, true},
		{"authenticate", object{"methodId": 5}, true},
		{"authenticate", object{"methodId": "bogus"}, true},
		{"initialize", object{"protocolVersion": "one"}, true},
		{"initialize", c.greeting(), true},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few requests
	if c.kind == editor && (one.method == "session/attach" || one.method == "session/detach") {
		return ""
	}
	c.callWrongly(one.method, one.params, !one.passes)
	return "requests a wrong " + one.method
}

// greeting returns the params of initialize.
func (c *client) greeting() object {
	return object{"protocolVersion": 1, "clientInfo": object{"name": c.name, "version": "1"}, "clientCapabilities": c.can}
}

// callWrongly sends a request that must change nothing, and perhaps must fail.
func (c *client) callWrongly(method string, params any, fails bool) {
	c.lastID++
	text := line(object{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
	id := string(encode(c.lastID))
	fields, _ := params.(object)
	c.mark(func() {
		c.calls[id] = &call{
			id: id, method: method, wrong: fails, open: true, session: "none", emptied: c.world.emptied,
			observer: fields["role"] == "observer", // it stays one, although there is no such session
		}
		c.world.story.add(c.name, "> "+text)
	})
	_, _ = c.toServer.Write([]byte(text)) // fails once the connection has ended
}

// writeNonsense sends a line that isn't a request. Some get an error without an id.
func (c *client) writeNonsense(s *Step) string {
	all := []struct {
		text    string
		refused bool
	}{
		{`{"jsonrpc":"2.0","id":"never","result":{}}`, false},
		{`{"jsonrpc":"2.0","id":"never","error":"none"}`, false},
		{`{"jsonrpc":"2.0","method":"no/such_notification"}`, false},
		{`{"jsonrpc":"2.0","method":"session/cancel","params":{}}`, false},
		{`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"none"}}`, false},
		{`{"jsonrpc":"2.0","method":"$/cancel_request","params":{}}`, false},
		{`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"none"}}`, false},
		{`Error: no such file`, true},
		{`[]`, true},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few lines
	c.mark(func() {
		if one.refused {
			c.refusals++
		}
		c.world.story.add(c.name, "> "+one.text)
	})
	_, _ = c.toServer.Write([]byte(one.text + "\n")) // fails once the connection has ended
	return "sends a line that makes no sense"
}

// answerNonsense answers a request, but not as the protocol says.
func (c *client) answerNonsense(of *request, s *Step) string {
	all := []object{
		{"result": nil}, {"result": "yes"}, {"result": []string{"yes"}}, {"result": object{"outcome": object{}}}, {"result": object{"outcome": object{"outcome": "selected"}}},
		{"result": object{"action": 1, "outcome": object{"outcome": "accepted", "optionId": "yes"}}}, {"error": "no"}, {"error": object{}}, {"error": object{"code": "none"}},
		{"result": object{"content": 1, "terminalId": 1, "output": 1, "action": "accept"}},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few answers
	one["id"] = json.RawMessage(of.id)
	c.write(one)
	return "answers " + of.method + " with nonsense"
}

// overhear lets a client attach to a session, and get what it missed in the response.
func overhear(w *World, c *client, id string, s *Step) string {
	if c.kind == editor {
		return ""
	}
	role := [...]string{"controller", "controller", "observer"}[s.C/8%3]
	return callSession("session/attach", object{"role": role, "historyPolicy": [...]string{"full", "bogus"}[s.C/24%2]})(w, c, id, s) + " with the history"
}

// overheard handles the response to a request to attach with the history. All of it is there,
// unless it is very long.
func (c *client) overheard(e *event) {
	v := newView(c, e.session, len(e.message.line) < 1<<20 && !c.world.rambled && !e.call.gap)
	for i := range e.message.result.History {
		if one := &e.message.result.History[i]; one.Method == "session/update" {
			e.fresh = append(e.fresh, v.add(&one.Params)...)
		}
	}
	v.unclear = c.isOpening(e.call) // its replay may follow
	c.views[e.session] = v
}
