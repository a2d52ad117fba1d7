package sim

import (
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// extra shows what agents show beside text and calls, such as plans and usage.
func (t *turn) extra() {
	if t.isOver() {
		return
	}
	all := t.actor.language.extras(t)
	for range 1 + t.random.IntN(4) {
		t.write(all[t.random.IntN(len(all))])
	}
}

// unusual are the types of events that have an effect on a turn's text, requests or end.
var unusual = []string{
	"agent_info", "run_start", "text_delta", "thinking_delta", "message_start", "message_end", "user_message", "stream_reset", "done",
	"steered", "question", "question_answered", "tool_confirmation_request", "tool_confirmation_resolved", "tool_approval_required",
	"tool_approval_response", "halt",
}

// nativeExtras are native events.
var nativeExtras = sync.OnceValue(func() (lines []string) {
	text, err := os.ReadFile("../conformance/every-event.jsonl")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		var e struct {
			Type string `json:"type"`
		}
		if err := exactjson.Unmarshal([]byte(line), &e); err != nil {
			panic(err)
		}
		if !slices.Contains(unusual, e.Type) {
			lines = append(lines, line)
		}
	}
	return lines
})

// extras implements [language].
func (*nativeLanguage) extras(*turn) []string { return nativeExtras() }

// extras implements [language].
func (a *acpLanguage) extras(t *turn) []string {
	file := object{"path": "/work/a.txt"}
	ask := func(id, method string, params object) string {
		params["sessionId"] = t.session
		return line(object{"jsonrpc": "2.0", "id": "extra-" + t.token + id, "method": method, "params": params})
	}
	return []string{
		a.update(t, object{"sessionUpdate": "plan", "entries": []object{{"content": "Look", "priority": "high", "status": "pending"}}}),
		a.update(t, object{"sessionUpdate": "available_commands_update", "availableCommands": []object{{"name": "dance", "description": "Dances"}}}),
		a.update(t, object{"sessionUpdate": "current_mode_update", "currentModeId": "go"}),
		a.update(t, object{"sessionUpdate": "config_option_update", "configOptions": options("on")}),
		a.update(t, object{"sessionUpdate": "usage_update", "used": 100, "size": 1000}),
		a.update(t, object{"sessionUpdate": "session_info_update", "title": "About " + t.token}),
		a.update(t, object{"sessionUpdate": "tool_call", "toolCallId": "edit-" + t.token, "title": "Edit", "kind": "edit", "status": "completed", "locations": []object{file},
			"content": []object{{"type": "diff", "path": "/work/a.txt", "oldText": "old", "newText": "new"}}}),
		a.update(t, object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "image", "data": "aGVsbG8=", "mimeType": "image/png"}}),
		ask("/read", "fs/read_text_file", object{"path": "/work/a.txt"}),
		ask("/write", "fs/write_text_file", object{"path": "/work/a.txt", "content": "new"}),
		ask("/run", "terminal/create", object{"command": "true"}),
		ask("/form", "elicitation/create", anyForm("How?")),
	}
}

// options are the options of a session.
func options(value string) []object {
	return []object{{"id": "loud", "name": "Loud", "type": "select", "currentValue": value, "options": []object{{"value": "on", "name": "On"}, {"value": "off", "name": "Off"}}}}
}

// anyForm returns a form, without its session.
func anyForm(message string) object {
	return object{"mode": "form", "message": message, "requestedSchema": object{
		"type": "object", "properties": object{"answer": object{"type": "string"}, "sure": object{"type": "boolean"}}, "required": []string{"answer"},
	}}
}

// extras implements [language].
func (aguiLanguage) extras(t *turn) []string {
	return []string{
		frames(object{"type": "STATE_SNAPSHOT", "snapshot": object{"todos": []string{"look"}}}),
		frames(object{"type": "STATE_DELTA", "delta": []object{{"op": "add", "path": "/a", "value": 1}}}),
		frames(object{"type": "STEP_STARTED", "stepName": "look"}, object{"type": "STEP_FINISHED", "stepName": "look"}),
		frames(object{"type": "ACTIVITY_SNAPSHOT", "messageId": t.token + "/activity", "activityType": "PLAN", "content": object{"steps": []string{"look"}}}),
		frames(object{"type": "CUSTOM", "name": "usage", "value": object{"tokens": 12}}),
		frames(object{"type": "RAW", "event": object{"a": 1}}),
	}
}
