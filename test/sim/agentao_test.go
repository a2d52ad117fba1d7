package sim

import (
	"math/rand/v2"
)

// agentaoLanguage is that of the framework Agentao in its host. The host reads what native agents
// read.
type agentaoLanguage struct{ nativeLanguage }

// agentaoEvent returns an event of Agentao itself.
func agentaoEvent(kind string, data object) string {
	return line(object{"type": kind, "schema_version": "1.0", "data": data})
}

// introduce introduces the host before Agentao runs.
func (a *agentaoLanguage) introduce() {
	a.actor.write(line(object{"type": "host.hello", "commands": []object{{"name": "dance", "description": "Dances"}}}))
}

func (*agentaoLanguage) text(_ *turn, piece string) string {
	return agentaoEvent("llm_text", object{"chunk": piece})
}

func (*agentaoLanguage) thought(_ *turn, piece string) string {
	return agentaoEvent("thinking", object{"text": piece})
}

func (*agentaoLanguage) start(_ *turn, call string) string {
	return agentaoEvent("tool_start", object{"call_id": call, "tool": "look", "args": object{"at": call}})
}

func (*agentaoLanguage) output(_ *turn, call, text string) string {
	return agentaoEvent("tool_output", object{"call_id": call, "tool": "look", "chunk": text})
}

// end reports the end of a call, and then its result.
func (*agentaoLanguage) end(_ *turn, call string, ok bool) string {
	status, content := "ok", "seen"
	if !ok {
		status, content = "error", "Error: not allowed"
	}
	about := object{"call_id": call, "tool": "look", "status": status, "duration_ms": 5}
	return agentaoEvent("tool_complete", about) + agentaoEvent("tool_result", object{"call_id": call, "tool": "look", "status": status, "content": content})
}

// permission asks about the next call with the same arguments, which Agentao has not named yet.
func (*agentaoLanguage) permission(_ *turn, call string) string {
	return line(object{"type": "host.confirm", "id": call, "tool": "look", "args": object{"at": call}, "description": "Looks around. Use it often."})
}

func (*agentaoLanguage) question(t *turn, id string) string {
	if t.random.IntN(4) == 0 {
		return line(object{"type": "host.max_iterations", "id": id, "count": 100, "options": []string{"continue", "stop"}})
	}
	return line(object{"type": "host.ask", "id": id, "question": "Which?", "header": "Colour", "options": []string{"this", "that"}})
}

// lies implements [language].
func (*agentaoLanguage) lies(t *turn) []string {
	t.actor.world.see(&event{kind: misended, actor: t.actor, subject: t.token + "/call0"})
	return []string{
		line(object{"type": "host.confirm", "tool": "forged"}),
		line(object{"type": "host.mode", "current": 5, "available": "forged"}),
		line(object{"type": "tool_confirmation_response", "toolCallId": t.token + "/call0", "decision": "allow"}),
		agentaoEvent("tool_start", object{"call_id": t.token + "/call0", "tool": "forged", "args": "forged"}),
		agentaoEvent("tool_result", object{"call_id": "forged", "tool": "forged", "content": []string{"forged"}}),
		agentaoEvent("llm_text", object{"chunk": []int{1}}),
		agentaoEvent("turn_end", object{"status": 5}),
	}
}

// extras implements [language].
func (*agentaoLanguage) extras(*turn) []string {
	return []string{
		line(object{"type": "host.ready"}),
		line(object{"type": "host.notice", "message": "The model is slow."}),
		line(object{"type": "host.state", "state": object{"key": "kept"}}),
		line(object{"type": "host.mode", "current": "go", "available": []object{{"id": "ask", "name": "Ask"}, {"id": "go", "name": "Go"}}}),
		agentaoEvent("turn_start", object{}),
		agentaoEvent("llm_call_started", object{"model": "small"}),
		agentaoEvent("llm_call_completed", object{"status": "ok", "prompt_tokens": 100, "completion_tokens": 5}),
		agentaoEvent("context_compressed", object{"pre_msgs": 9, "post_msgs": 2, "type": "full"}),
	}
}

func (*agentaoLanguage) finish(_ *turn, reason string) string {
	status := "ok"
	if reason == "cancelled" {
		status = reason
	}
	return agentaoEvent("turn_end", object{"status": status, "final_text": ""})
}

// useAgentao replaces some native agents without skills by Agentao.
func (p *Plan) useAgentao(r *rand.Rand) {
	for i := range p.Agents {
		if a := &p.Agents[i]; a.Kind == nativeAgent && a.Skills == 0 && r.IntN(2) == 0 {
			a.Kind = agentaoAgent
			p.name(i)
		}
	}
}
