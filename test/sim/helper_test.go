package sim

import "fmt"

// help lets a sub-agent run calls, some of which need a permission or have sub-agents below them.
func (t *turn) help() { t.helpIn("", 2) }

// helpIn starts a sub-agent below another one, if parent is set.
func (t *turn) helpIn(parent string, depth int) {
	sub := t.child(parent)
	start := object{"type": "subagent_start", "id": sub, "name": "Helper", "task": "help"}
	if parent != "" {
		start["parentToolCallId"] = parent
	}
	t.write(line(start))
	for range t.skilled.IntN(3) {
		switch {
		case t.isOver():
			return
		case depth > 1 && t.skilled.IntN(3) == 0:
			t.helpIn(sub, depth-1)
			continue
		}
		call := t.child(sub)
		begin := object{"toolCallId": call, "toolName": "look", "parentToolCallId": sub}
		if t.skilled.IntN(3) == 0 {
			begin["type"] = "tool_pending" // a request for permission can't name the parent
			if !t.wait(call, func(t *turn, call string) string { return line(begin) + t.actor.language.permission(t, call) }) {
				if t.isOver() {
					return
				}
				t.write(t.actor.language.end(t, call, false))
				continue
			}
		}
		if t.isOver() {
			return
		}
		begin["type"] = "tool_start"
		t.write(line(begin))
		if t.skilled.IntN(6) > 0 {
			t.write(t.actor.language.end(t, call, true))
		}
	}
	if !t.isOver() && t.skilled.IntN(6) > 0 {
		t.write(line(object{"type": "subagent_end", "id": sub, "ok": t.skilled.IntN(3) > 0, "result": "helped"}))
	}
}

// child returns the id of a new call below another one.
func (t *turn) child(parent string) string {
	call := fmt.Sprintf("%s/call%d", t.token, t.calls)
	t.calls++
	if parent != "" {
		t.actor.world.mu.Lock()
		t.actor.world.parents[call] = parent
		t.actor.world.mu.Unlock()
	}
	return call
}
