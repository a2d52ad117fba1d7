package sim

import (
	"hash/fnv"
	"strings"
)

// brokenError is the reason of an agent that ends a turn with an error without a code.
const brokenError = "it broke"

// echoes reports whether the agent repeats a prompt as the user's message. Turnwire's own messages,
// of which two may be equal, are not repeated.
func (a *agentSpec) echoes(token string) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(token)) // never fails
	return a.Skills&errs != 0 && h.Sum32()%3 == 0 && !strings.Contains(token, " ")
}

// mistake makes one of the mistakes that Turnwire repairs for each ACP agent.
func (t *turn) mistake() {
	a := t.actor.language.(*acpLanguage) //nolint:forcetypeassert // only ACP agents have the skill
	nobody := object{"sessionId": "nobody", "update": object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "text", "text": "forged"}}}
	switch t.skilled.IntN(6) {
	case 0: // the request itself has the members of the call, and options have no names
		call := t.newCall()
		ok := t.wait(call, func(*turn, string) string {
			return line(object{"jsonrpc": "2.0", "id": call, "method": "session/request_permission", "params": object{
				"sessionId": t.session, "toolCallId": call, "title": "Run", "kind": "execute", "rawInput": object{"command": []string{"make", "all tests"}},
				"options": []object{{"optionId": "yes", "label": "Yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}},
			}})
		})
		if !t.isOver() {
			t.write(a.start(t, call) + a.end(t, call, ok))
		}
	case 1: // the id of a request that may still be open
		call := t.newCall() + twice
		ok := t.wait(call, func(t *turn, call string) string { return a.permission(t, call) + a.permission(t, call) })
		if !t.isOver() {
			t.write(a.end(t, call, ok))
		}
	case 2: // it withdraws a request
		t.askInVain(t.newCall(), a.permission, func(call string) string {
			return line(object{"jsonrpc": "2.0", "method": "$/cancel_request", "params": object{"requestId": call}}) + a.end(t, call, false)
		})
	case 3: // what belongs to nothing
		for _, one := range []string{
			line(object{"jsonrpc": "2.0", "method": "session/update", "params": nobody}),
			line(object{"jsonrpc": "2.0", "id": 4711, "result": object{}}),
			line(object{"jsonrpc": "2.0"}),
			line(object{"jsonrpc": "2.0", "id": "extra-" + t.token + "/none", "method": unknownMethod, "params": object{"sessionId": t.session}}),
			line(object{"jsonrpc": "2.0", "method": "$/cancel_request", "params": object{"requestId": "none"}}),
		} {
			t.write(one)
		}
	case 4: // a call that it never announced
		call := t.newCall()
		t.write(a.output(t, call, "some output\n") + a.end(t, call, true))
	case 5:
		t.finish(brokenError)
	}
}
