package sim

import "fmt"

// misuse requests something of a session, or a new one, in a way that must be refused. A relay
// does not look into what it passes on, so its agent may accept it.
func misuse(w *World, c *client, id string, s *Step) string {
	all := []struct {
		method string
		params object
	}{
		{"session/new", object{}},
		{"session/new", object{"cwd": "work", "mcpServers": []string{}}},
		{"session/new", object{"cwd": cwd, "mcpServers": []object{{"command": "no-name"}}}},
		{"session/new", object{"cwd": cwd, "mcpServers": 5}},
		{"session/new", object{"cwd": cwd, "mcpServers": []string{}, "additionalDirectories": []string{"other"}}},
		{"session/prompt", object{"sessionId": id}},
		{"session/prompt", object{"sessionId": id, "prompt": []object{{"type": "no such type"}}}},
		{"session/set_mode", object{"sessionId": id}},
		{"session/set_config_option", object{"sessionId": id, "configId": "loud"}},
		{"session/set_config_option", object{"sessionId": id, "configId": "none", "value": "on"}},
		{"session/set_title", object{"sessionId": id, "title": ""}},
		{"_session/steering", object{"sessionId": id, "prompt": []object{{"type": "no such type"}}}},
	}
	one := all[s.C%uint32(len(all))] //nolint:gosec // few requests
	relayed := c.agent.Kind == acpAgent
	switch {
	case relayed && one.params["sessionId"] == id:
		return ""
	case relayed && c.agent.Skills&(edits|odd) != 0:
		return "" // without a folder, nobody knows where its files are
	case w.nats != nil && one.params["prompt"] != nil:
		return "" // a hub shows a prompt to others before another server refuses it
	}
	c.mark(func() { c.errs = !relayed })
	c.call(one.method, one.params)
	return fmt.Sprint("mistakes ", one.method, " ", one.params)
}

// enclose prompts with more than a text.
func enclose(w *World, c *client, id string, s *Step) string {
	w.mu.Lock()
	c.prompts++
	token := fmt.Sprintf("P%d.%d", c.number, c.prompts)
	w.mu.Unlock()
	blocks := []object{{"type": "text", "text": token}}
	for i, more := range []object{
		{"type": "resource_link", "uri": "file:///work/a.txt", "name": "a.txt"},
		{"type": "text", "text": " and " + token},
		{"type": "resource", "resource": object{"uri": "file:///work/b.txt", "text": "embedded"}},
		{"type": "resource", "resource": object{"uri": "file:///work/b.bin", "blob": "aGVsbG8="}},
		{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
		{"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
	} {
		if s.B>>i%4 == 0 {
			blocks = append(blocks, more)
		}
	}
	params := object{"sessionId": id, "prompt": blocks}
	if s.C%2 == 0 {
		params["_meta"] = object{"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate": [...]string{"a=b", "\n"}[s.C/2%2]}
	}
	if c.agent.Kind == aguiAgent {
		params["prompt"] = blocks[:1] // it reads texts only
	}
	c.call("session/prompt", params)
	return "prompts " + token + " with more"
}

// instruct opens a session with instructions, servers and folders.
func instruct(w *World, c *client, s *Step) string {
	params := object{"cwd": w.cwdOf(c.agent), "mcpServers": []object{}}
	if s.B%2 == 0 {
		params["mcpServers"] = []object{
			{"name": "local", "command": "serve", "args": []string{}, "env": []object{}},
			{"type": [...]string{"http", "sse"}[s.B/2%2], "name": "remote", "url": "http://localhost/mcp", "headers": []object{}},
		}
	}
	if s.B/4%2 == 0 {
		params["additionalDirectories"] = []string{"/other"}
	}
	text := object{"type": "text", "text": "Be kind to " + c.steerToken()}
	content := [...][]object{{text}, {text}, {text}, {text, text}, {}, {{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}}}[s.C%6]
	if s.C/6%4 > 0 {
		params["systemPrompt"] = object{"mode": [...]string{"append", "override", "append", "bogus"}[s.C/24%4], "content": content}
	}
	c.call("session/new", params)
	return "opens a session with more"
}
