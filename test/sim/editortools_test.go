package sim

import "fmt"

// useEditor asks the client for a file or for terminals.
func (t *turn) useEditor() {
	if t.skilled.IntN(2) == 0 {
		path := [...]string{"/work/a.txt", "a.txt", ""}[t.skilled.IntN(3)]
		if t.skilled.IntN(2) == 0 {
			t.editor(object{"action": "read_file", "path": path, "line": 1, "limit": 10})
		} else {
			t.editor(object{"action": "write_file", "path": path, "text": "new"})
		}
		return
	}
	id := t.editor(object{"action": "create_terminal", "command": "make", "args": []string{"test"}, "env": []object{{"name": "A", "value": "b"}}, "outputLimit": 100})
	if t.skilled.IntN(6) == 0 {
		id = "t-of-another"
	}
	for _, action := range []string{"terminal_output", "wait_for_terminal_exit", "kill_terminal", "release_terminal", "terminal_output"} {
		if t.skilled.IntN(2) == 0 && !t.isOver() {
			t.editor(object{"action": action, "terminalId": id})
		}
	}
}

// freeing ends the ids of requests that stop something, so a cancel does not withdraw them.
const freeing = ".frees"

// editor sends a request to the client and waits for the answer. It returns the terminal in it.
func (t *turn) editor(o object) (terminal string) {
	if t.isOver() {
		return ""
	}
	id := fmt.Sprintf("question-%s.editor%d", t.token, t.skilled.IntN(1e6))
	if o["action"] == "kill_terminal" || o["action"] == "release_terminal" {
		id += freeing
	}
	o["type"], o["requestId"] = "editor_request", id
	t.wait(id, func(*turn, string) string { return line(o) })
	t.actor.mu.Lock()
	defer t.actor.mu.Unlock()
	return t.actor.terminals[id]
}

// abandon lets an editor close or reopen a session for which it created a terminal.
func (w *World) abandon(s *Step) string {
	var able []*client
	w.mu.Lock()
	for _, c := range w.clients {
		if v := c.views[c.terminal]; v != nil && v.ready && c.kind == editor && !c.gone && !c.leaving {
			able = append(able, c)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	c := able[s.A%uint32(len(able))] //nolint:gosec // few clients
	method := [...]string{"session/close", "session/load", "session/resume"}[s.B%3]
	return c.name + " abandons a terminal: " + callSession(method, object{"cwd": cwd, "mcpServers": []string{}})(w, c, c.terminal, s)
}
