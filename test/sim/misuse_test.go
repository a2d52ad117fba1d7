package sim

import "fmt"

// misuse sends a request that must be refused, or a notification without a meaning.
func misuse(_ *World, c *client, id string, s *Step) string {
	all := []struct {
		method string
		params object
	}{
		{"session/new", object{}},
		{"session/new", object{"cwd": "work", "mcpServers": []string{}}},
		{"session/new", object{"cwd": cwd, "mcpServers": []object{{"command": "no-name"}}}},
		{"session/new", object{"cwd": cwd, "mcpServers": 5}},
		{"session/new", object{"cwd": cwd, "mcpServers": []string{}, "additionalDirectories": []string{"other"}}},
		{"session/load", object{"cwd": cwd, "mcpServers": []string{}}},
		{"session/load", object{"sessionId": "nobody", "cwd": "work", "mcpServers": []string{}}},
		{"session/load", object{"sessionId": "nobody", "cwd": cwd, "mcpServers": []string{}}},
		{"session/resume", object{"sessionId": "nobody", "cwd": 5}},
		{"session/fork", object{"cwd": cwd}},
		{"session/fork", object{"sessionId": "nobody", "cwd": cwd}},
		{"session/prompt", object{"sessionId": id}},
		{"session/prompt", object{"sessionId": "nobody", "prompt": []object{}}},
		{"session/prompt", object{"sessionId": id, "prompt": []object{{"type": "no such type"}}}},
		{"session/set_mode", object{"sessionId": id}},
		{"session/set_mode", object{"sessionId": "nobody", "modeId": "ask"}},
		{"session/set_config_option", object{"sessionId": id, "configId": "loud"}},
		{"session/set_config_option", object{"sessionId": id, "configId": "none", "value": "on"}},
		{"session/set_title", object{"sessionId": id, "title": ""}},
		{"session/list", object{"cwd": 5}},
		{"session/delete", object{}},
		{"session/close", object{}},
		{"session/detach", object{"sessionId": "nobody"}},
		{"session/attach", object{"role": "controller"}},
		{"_session/steering", object{"sessionId": id, "prompt": []object{{"type": "no such type"}}}},
		{"authenticate", object{}},
		{"authenticate", object{"methodId": 5}},
		{"authenticate", object{"methodId": "bogus"}},
		{"initialize", object{"protocolVersion": "one"}},
	}
	if n := s.C % 8; n == 0 {
		c.write(object{"method": [...]string{"no/such_notification", "session/cancel", "$/cancel_request"}[s.B%3], "params": object{"requestId": "none"}})
		return "sends a notification without a meaning"
	}
	one := all[s.C/8%uint32(len(all))] //nolint:gosec // few requests
	if c.agent.Kind == acpAgent && one.params["sessionId"] == id {
		return "" // a relay does not look into what it passes on
	}
	if c.agent.Kind == acpAgent && c.agent.Skills&edits != 0 && one.method == "session/new" {
		return "" // a relay passes it on, and the agent's files would not be in the session's folder
	}
	if c.kind != editor && one.params["sessionId"] == id && one.params["prompt"] != nil {
		return "" // a hub shows a prompt to others before its agent refuses it
	}
	c.world.mu.Lock()
	c.mistaken = true
	c.world.mu.Unlock()
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
