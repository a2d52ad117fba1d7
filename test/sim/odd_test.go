package sim

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

// The reason that an odd agent gives for the end of a turn begins with these texts: in its
// last message, or in an error with a stack trace.
const (
	oddReason = "[error] "
	oddTrace  = "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: "
)

// oddNotice begins a notice of an odd agent.
const oddNotice = "! careful "

// err makes one of the mistakes of real ACP agents that Turnwire repairs.
func (t *turn) err() {
	a := t.actor.language.(*acpLanguage) //nolint:forcetypeassert // only ACP agents are odd
	w := t.actor.world
	switch t.skilled.IntN(4) {
	case 0:
		t.write(a.thought(t, "{"+t.token+"}") + a.text(t, oddNotice+t.token+"\n"))
	case 1:
		call := fmt.Sprintf("%s/call%d", t.token, t.calls)
		t.calls++
		begin := a.update(t, object{"sessionUpdate": "tool_call", "toolCallId": call, "title": "write_file", "status": "in_progress", "rawInput": object{"path": "odd/a.txt", "content": "a"},
			"locations": []object{{"path": "odd/a.txt"}}})
		end := a.end(t, call, true)
		t.write(begin + end + end)
	case 2: // it is ordinary text if more follows
		t.write(a.text(t, oddReason+"why "+t.token))
		t.piece("")
	case 3:
		reason := "why " + t.token
		w.mu.Lock()
		w.failing[t.token] = reason
		w.mu.Unlock()
		if t.skilled.IntN(2) == 0 {
			t.write(a.text(t, oddReason+reason))
			t.finish("refusal")
			return
		}
		t.finish(oddTrace + reason)
	}
}

// errorLine returns the response that ends a turn with a stack trace.
func errorLine(t *turn, trace string) string {
	return line(object{"jsonrpc": "2.0", "id": json.RawMessage(t.request), "error": object{
		"code": -32603, "message": "Internal error", "data": object{"details": trace},
	}})
}

// loses reports whether an odd agent claims not to know the session of a prompt, which it does
// once, while nothing runs there.
func (a *acpLanguage) loses(session, token string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(token)) // never fails
	w := a.actor.world
	a.actor.mu.Lock()
	busy := len(a.actor.turns[session]) > 0
	a.actor.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if busy || a.actor.agent.Skills&odd == 0 || h.Sum32()%5 > 0 || w.lost[token] {
		return false
	}
	w.lost[token] = true
	return true
}

// options returns the options of a permission request. Those of an odd agent say nothing about
// what they permit.
func (a *acpLanguage) options() []object {
	if a.actor.agent.Skills&odd == 0 {
		return once
	}
	return []object{{"optionId": "allow", "name": "Allow"}, {"optionId": "deny", "name": "Deny"}}
}

// optionKinds are the kinds of the options that ACP agents offer.
var optionKinds = map[string]string{
	"yes": "allow_once", "always": "allow_always", "no": "reject_once",
	"allow": "allow_once", "deny": "reject_once",
}

func isPermitting(kind string) bool { return strings.HasPrefix(kind, "allow_") }
