package sim

import "strings"

// aguiLanguage is AG-UI, as servers speak it.
type aguiLanguage struct{}

// frames returns events of a stream.
func frames(events ...object) string {
	var b strings.Builder
	for _, e := range events {
		b.WriteString("data: " + string(encode(e)) + "\n\n")
	}
	return b.String()
}

func (aguiLanguage) text(t *turn, piece string) string {
	return frames(object{"type": "TEXT_MESSAGE_CHUNK", "messageId": t.token + "/text", "role": "assistant", "delta": piece})
}

func (aguiLanguage) thought(t *turn, piece string) string {
	return frames(object{"type": "REASONING_MESSAGE_CHUNK", "messageId": t.token + "/thought", "delta": piece})
}

func (aguiLanguage) start(_ *turn, call string) string {
	return frames(
		object{"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "look"},
		object{"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": string(encode(object{"at": call}))},
		object{"type": "TOOL_CALL_END", "toolCallId": call},
	)
}

// output returns nothing, because calls have no output before their result.
func (aguiLanguage) output(*turn, string, string) string { return "" }

func (aguiLanguage) end(_ *turn, call string, ok bool) string {
	content := "done"
	if !ok {
		content = "it was not permitted"
	}
	return frames(object{"type": "TOOL_CALL_RESULT", "messageId": call + "/result", "toolCallId": call, "role": "tool", "content": content})
}

func (l aguiLanguage) permission(t *turn, call string) string {
	schema := object{"type": "object", "properties": object{"approved": object{"type": "boolean"}}, "required": []string{"approved"}}
	return l.start(t, call) + interrupt(t, object{"id": call, "reason": "tool_call", "toolCallId": call, "responseSchema": schema})
}

func (aguiLanguage) question(t *turn, id string) string {
	return interrupt(t, object{"id": id, "reason": "input_required", "message": "Which?"})
}

// interrupt ends a run. The next one continues the turn.
func interrupt(t *turn, i object) string {
	return runEnd(t, object{"type": "interrupt", "interrupts": []object{i}})
}

func (aguiLanguage) finish(t *turn, reason string) string {
	outcome := "success"
	if reason == "cancelled" {
		outcome = "cancelled"
	}
	return runEnd(t, object{"type": outcome})
}

// runEnd ends a run.
func runEnd(t *turn, outcome object) string {
	return frames(object{"type": "RUN_FINISHED", "threadId": t.session, "runId": t.run.id, "outcome": outcome})
}
