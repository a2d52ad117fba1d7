package sim

import "fmt"

// A shower is a language of agents that show their work in every way.
type shower interface {
	// ways returns what an agent may show, each as a list of lines. Calls in it end.
	ways(t *turn) [][]string
}

// show shows something, or ends the turn in an unusual way.
func (t *turn) show() {
	if t.skilled.IntN(8) == 0 {
		t.finish([...]string{"max_tokens", "max_turn_requests", "refusal"}[t.skilled.IntN(3)])
		return
	}
	ways := t.actor.language.(shower).ways(t) //nolint:forcetypeassert // only agents that can have the skill
	for _, one := range ways[t.skilled.IntN(len(ways))] {
		if !t.isOver() {
			t.write(one)
		}
	}
}

// newCall returns the id of the turn's next call.
func (t *turn) newCall() string {
	call := fmt.Sprintf("%s/call%d", t.token, t.calls)
	t.calls++
	return call
}

// blocks are content blocks of all kinds, which ACP and the native dialect share.
var blocks = []object{
	{"type": "text", "text": "a block\n"},
	{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"},
	{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png", "uri": "file:///work/a.png"},
	{"type": "audio", "data": "aGVsbG8=", "mimeType": "audio/wav"},
	{"type": "resource_link", "uri": "file:///work/a.txt", "name": "a.txt", "mimeType": "text/plain"},
	{"type": "resource", "resource": object{"uri": "file:///work/a.txt", "text": "embedded"}},
	{"type": "resource", "resource": object{"uri": "file:///work/a.bin", "blob": "aGVsbG8="}},
}

// entries are the entries of a plan.
var entries = []object{
	{"content": "Look", "status": "completed", "priority": "high"}, {"content": "Think", "status": "in_progress", "priority": "medium"}, {"content": "Act", "status": "pending", "priority": "low"},
}

// ways implements [shower].
func (n *nativeLanguage) ways(t *turn) [][]string {
	call := t.newCall()
	about := func(kind string, o object) string {
		o["type"], o["toolCallId"] = kind, call
		return line(o)
	}
	block := blocks[t.skilled.IntN(len(blocks))]
	return [][]string{
		{ // a command, and what it prints
			about("tool_pending", object{"toolName": "bash", "kind": "execute"}),
			about("tool_args_delta", object{"delta": `{"command":`}),
			about("tool_args_delta", object{"delta": `"make"}`}),
			about("tool_start", object{"toolName": "bash", "kind": "execute", "args": object{"command": "make"}}),
			about("tool_output", object{"text": "some output\n", "stream": "stdout"}),
			about("tool_output", object{"text": "other output\n", "replace": t.skilled.IntN(2) == 0}),
			about("tool_end", object{"ok": false, "error": "it failed", "exitCode": 2, "durationMs": 12.5}),
		},
		{ // how far a call is
			n.start(t, call),
			about("tool_progress", object{"message": "half done", "percent": 50, "audience": "user"}),
			about("tool_output", object{"text": "some output\n"}),
			about("tool_progress", object{"message": "nearly done", "audience": "user"}),
			n.end(t, call, true),
		},
		{ // a result of several parts
			about("tool_start", object{"toolName": "fetch", "kind": "no_such_kind", "title": "Fetch it", "locations": []object{{"path": "a.txt", "line": 3}}}),
			about("tool_end", object{"ok": true, "result": "fetched", "structured": object{"lines": 1}, "content": blocks}),
		},
		{about("tool_start", object{"toolName": "wait"}), about("tool_end", object{"ok": false, "cancelled": true})},
		{
			line(object{"type": "plan", "entries": entries}),
			line(object{"type": "plan", "planId": "tests", "entries": append(entries[:1:1], object{"content": "Not this", "status": "cancelled"}, object{"content": "Nor says what"})}),
			line(object{"type": "plan_removed", "planId": [...]string{"tests", "none", ""}[t.skilled.IntN(3)]}),
		},
		{line(object{"type": "plan", "planId": "notes", "markdown": "# Notes"}), line(object{"type": "plan_removed", "planId": "notes"})},
		{line(object{"type": "plan", "planId": "file", "uri": "file:///work/plan.md"})},
		{line(object{"type": "content", "content": block}), line(object{"type": "citation", "uri": "https://go.dev/ref/spec"})},
		{
			line(object{"type": "context_compacted", "compactionId": "c-" + t.token, "status": "in_progress"}),
			line(object{"type": "context_compacted", "compactionId": "c-" + t.token, "status": "completed", "summary": "We talked"}),
			line(object{"type": "usage", "inputTokens": 100, "outputTokens": 20, "estimatedCostUsd": 0.01, "contextWindow": 200000}),
		},
		{
			line(object{"type": "tool_approval_response", "toolCallId": call, "approved": false, "reason": "no"}),
			line(object{"type": "credential_required", "pluginId": "mail", "authUrl": "https://example.com/auth"}),
			line(object{"type": "error", "error": "a hiccup", "fatal": false}),
		},
	}
}

// ways implements [shower].
func (a *acpLanguage) ways(t *turn) [][]string {
	call := t.newCall()
	about := func(kind string, o object) string {
		o["sessionUpdate"], o["toolCallId"] = kind, call
		return a.update(t, o)
	}
	block := blocks[t.skilled.IntN(len(blocks))]
	var content []object
	for _, b := range blocks {
		content = append(content, object{"type": "content", "content": b})
	}
	content = append(content, object{"type": "terminal", "terminalId": "none"}, object{"type": "diff", "path": "/work/new.txt", "newText": "new"})
	return [][]string{
		{a.start(t, call), about("tool_call_update", object{"content": content, "rawOutput": object{"lines": 1}, "status": "completed"})},
		{
			about("tool_call", object{"title": "Run", "kind": "execute", "status": "pending", "rawInput": object{"command": "make"}}),
			about("tool_call_update", object{"status": "in_progress", "title": "Run make", "locations": []object{{"path": "/work/a.txt", "line": 3}}}),
			about("tool_call_update", object{"status": "failed", "rawOutput": "it failed"}),
		},
		{a.update(t, object{"sessionUpdate": "plan", "entries": entries}), a.update(t, object{"sessionUpdate": "plan", "entries": []object{}})},
		{a.update(t, object{"sessionUpdate": "agent_message_chunk", "content": block})},
		{a.update(t, object{"sessionUpdate": "agent_thought_chunk", "content": block})},
		{a.update(t, object{"sessionUpdate": "usage_update", "used": 100, "size": 1000, "cost": object{"amount": 0.5, "currency": "USD"}})},
		{a.update(t, object{"sessionUpdate": "compaction_update", "compactionId": "c-" + t.token, "status": "completed"})},
		{a.update(t, object{"sessionUpdate": "notice", "severity": "warning", "title": "Careful", "description": "very"})},
		{a.update(t, object{"sessionUpdate": "session_info_update", "title": nil})},
	}
}
