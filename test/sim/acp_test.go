package sim

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
)

// acpLanguage is the Agent Client Protocol, as agents speak it.
type acpLanguage struct {
	actor    *actor
	sessions map[string]bool // those that it has opened; only for the goroutine that reads
	started  bool            // it has got "initialize"; likewise
}

func (a *acpLanguage) hear(text []byte) error {
	m, err := parse(string(text))
	if err != nil {
		return err
	}
	switch {
	case m.Method == "":
		return a.answered(m)
	case m.Method == "session/cancel":
		a.actor.cancel(m.params.SessionID, m.Method)
	case !m.isRequest():
	case m.Method == "initialize":
		able := object{
			"protocolVersion": 1, "agentInfo": object{"name": "sim", "version": "1"},
			"agentCapabilities": object{}, "authMethods": []string{},
		}
		if a.actor.agent.Skills&listens != 0 {
			able["_meta"] = object{"steering": object{"supported": true}}
		}
		if a.actor.agent.Skills&forgets != 0 {
			able["agentCapabilities"] = object{
				"sessionCapabilities": object{"fork": object{}}, "_meta": object{"jetbrains": object{"air": object{"fork": object{"version": 1, "inclusive": true}}}},
			}
		}
		if capabilities, is := able["agentCapabilities"].(object); is {
			a.actor.agent.memory(a.actor.world.plan.Seed).declare(capabilities)
		}
		if a.actor.agent.Skills&dawdles != 0 {
			able["authMethods"] = logins
			first := !a.started
			if a.started = true; first && !a.dawdle(m.ID) {
				return nil
			}
		}
		a.reply(m.ID, able)
	case m.Method == "session/fork" && a.sessions[m.params.SessionID] && a.actor.agent.Skills&forgets != 0:
		id := a.actor.world.newSessionID()
		a.sessions[id] = true
		a.reply(m.ID, object{"sessionId": id})
	case m.Method == "_session/steering" && a.sessions[m.params.SessionID] && a.actor.agent.Skills&listens != 0:
		a.steer(m)
	case m.Method == "session/new":
		id := a.actor.world.newSessionID()
		a.sessions[id] = true
		a.keepNew(id, m.params.Cwd)
		if a.actor.agent.Greets {
			a.greet(id)
		}
		opened := object{"sessionId": id}
		if a.actor.agent.Greets || a.actor.agent.Skills&moody != 0 {
			opened["modes"] = object{"currentModeId": "ask", "availableModes": []object{{"id": "ask", "name": "Ask"}, {"id": "go", "name": "Go"}}}
			opened["configOptions"] = options("on")
			if a.actor.agent.Skills&moody != 0 {
				delete(opened, "configOptions")
			}
		}
		a.reply(m.ID, opened)
	case m.Method == "session/set_mode":
		a.reply(m.ID, object{})
	case m.Method == "session/set_config_option":
		a.reply(m.ID, object{"configOptions": options("off")})
	case m.Method == "session/prompt" && a.sessions[m.params.SessionID]:
		var token strings.Builder
		for _, b := range m.params.Prompt {
			token.WriteString(b.Text)
		}
		if a.loses(m.params.SessionID, token.String()) {
			delete(a.sessions, m.params.SessionID)
			a.actor.write(line(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32001, "message": "no such session"}}))
			return nil
		}
		prompt := object{"sessionUpdate": "user_message_chunk", "content": object{"type": "text", "text": token.String()}}
		if a.actor.agent.echoes(token.String()) {
			prompt["messageId"] = "echo-" + token.String()
			a.actor.write(line(object{"jsonrpc": "2.0", "method": "session/update", "params": object{"sessionId": m.params.SessionID, "update": prompt}}))
		} else {
			a.actor.keep(m.params.SessionID, encode(prompt))
		}
		a.actor.begin(a.actor.readPrompt(&turn{session: m.params.SessionID, request: string(m.ID)}, token.String()))
	case a.remember(m):
	default:
		a.actor.write(line(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32601, "message": "not supported"}}))
	}
	return nil
}

// greeting is the type of the update that an agent sends before it names a session.
const greeting = "available_commands_update"

// greet sends an update of a session that the client doesn't know yet.
func (a *acpLanguage) greet(session string) {
	update := line(object{"jsonrpc": "2.0", "method": "session/update", "params": object{
		"sessionId": session, "update": object{"sessionUpdate": greeting, "availableCommands": []object{}},
	}})
	a.actor.log(&event{kind: greeted, actor: a.actor, session: session}, func() string { return update }, a.actor.out)
}

func (a *acpLanguage) reply(id json.RawMessage, result object) {
	a.actor.write(line(object{"jsonrpc": "2.0", "id": id, "result": result}))
}

// answered handles a response. Its id is the request's subject.
func (a *acpLanguage) answered(m *message) error {
	var id string
	if err := exactjson.Unmarshal(m.ID, &id); err != nil {
		return fmt.Errorf("the response has no id of ours: %s", m.line)
	}
	if strings.HasPrefix(id, "extra-") {
		return nil
	}
	if strings.HasPrefix(id, pollPrefix) {
		a.actor.advised(id, m)
		return nil
	}
	var outcome struct {
		Outcome struct {
			Outcome  string `json:"outcome"`
			OptionID string `json:"optionId"`
		} `json:"outcome"`
	}
	if len(m.Result) > 0 {
		if err := exactjson.Unmarshal(m.Result, &outcome); err != nil {
			return fmt.Errorf("%w: %s", err, m.line)
		}
	}
	option := outcome.Outcome.OptionID
	kind := optionKinds[option]
	if outcome.Outcome.Outcome == "selected" && kind == "" {
		return fmt.Errorf("the response selects an option that was not offered: %s", m.line)
	}
	return a.actor.answered(id, outcome.Outcome.Outcome == "selected" && isPermitting(kind), kind)
}

func (*acpLanguage) update(t *turn, update object) string {
	return line(object{"jsonrpc": "2.0", "method": "session/update", "params": object{"sessionId": t.session, "update": update}})
}

func (a *acpLanguage) text(t *turn, piece string) string {
	update := object{"sessionUpdate": "agent_message_chunk", "content": object{"type": "text", "text": piece}}
	if a.actor.agent.Skills&forgets != 0 {
		update["messageId"] = t.token + "/text"
	}
	return a.update(t, update)
}

func (a *acpLanguage) thought(t *turn, piece string) string {
	return a.update(t, object{"sessionUpdate": "agent_thought_chunk", "content": object{"type": "text", "text": piece}})
}

func (a *acpLanguage) start(t *turn, call string) string {
	return a.update(t, object{"sessionUpdate": "tool_call", "toolCallId": call, "title": "Look", "kind": "read", "status": "in_progress"})
}

func (a *acpLanguage) output(t *turn, call, text string) string {
	content := []object{{"type": "content", "content": object{"type": "text", "text": text}}}
	return a.update(t, object{"sessionUpdate": "tool_call_update", "toolCallId": call, "content": content})
}

func (a *acpLanguage) end(t *turn, call string, ok bool) string {
	status := "completed"
	if !ok {
		status = "failed"
	}
	return a.update(t, object{"sessionUpdate": "tool_call_update", "toolCallId": call, "status": status})
}

func (a *acpLanguage) permission(t *turn, call string) string {
	return a.pending(t, call, "Look") + a.request(t, call, object{"toolCallId": call, "title": "Look", "kind": "read", "status": "pending"}, a.options()...)
}

func (a *acpLanguage) question(t *turn, id string) string {
	return a.pending(t, id, "Which?") + a.request(t, id, object{"toolCallId": id, "title": "Which?"}, a.options()...) + a.end(t, id, true)
}

// pending announces a call that isn't running yet.
func (a *acpLanguage) pending(t *turn, call, title string) string {
	return a.update(t, object{"sessionUpdate": "tool_call", "toolCallId": call, "title": title, "kind": "read", "status": "pending"})
}

// once are options that count once, and always is one that always counts.
var (
	once   = []object{{"optionId": "yes", "name": "Yes", "kind": "allow_once"}, {"optionId": "no", "name": "No", "kind": "reject_once"}}
	always = object{"optionId": "always", "name": "Always", "kind": "allow_always"}
)

func (*acpLanguage) request(t *turn, id string, call object, options ...object) string {
	return line(object{"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": object{
		"sessionId": t.session, "toolCall": call,
		"options": options,
	}})
}

func (a *acpLanguage) finish(t *turn, reason string) string {
	switch {
	case strings.HasPrefix(reason, oddTrace):
		return errorLine(t, reason)
	case reason == brokenError:
		return line(object{"jsonrpc": "2.0", "id": json.RawMessage(t.request), "error": object{"message": reason}})
	}
	return line(object{"jsonrpc": "2.0", "id": json.RawMessage(t.request), "result": object{"stopReason": reason}})
}
