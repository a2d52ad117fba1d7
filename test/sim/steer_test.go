package sim

import (
	"hash/fnv"
	"strings"
)

// steerings counts the ways in which an agent that listens takes a message for its turn.
const (
	steersNow = iota
	steersLater
	steersNever
	steerings
)

// A message for a running turn.
type steerMessage struct{ id, text string }

// way returns how an agent takes a message.
func (c *actor) way(text string) uint32 {
	if c.agent.Skills&listens == 0 {
		return steersNow
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(text)) // never fails
	return h.Sum32() % steerings
}

// steered says that the agent reads a message, unless it refuses it.
func (n *nativeLanguage) steered(m steerMessage) {
	answer := object{"type": "steered", "steerId": m.id}
	if n.actor.way(m.text) == steersNever {
		answer["refused"] = "not now"
		n.actor.write(line(answer))
		return
	}
	n.actor.log(&event{kind: steered, actor: n.actor, subject: m.text}, func() string { return line(answer) }, n.actor.out)
}

// steer takes a message for the running turn. After the turn, the message is the next prompt.
func (n *nativeLanguage) steer(session string, m steerMessage) {
	c := n.actor
	c.mu.Lock()
	runs := len(c.turns[session]) > 0
	c.mu.Unlock()
	if !runs {
		return
	}
	if c.way(m.text) != steersLater {
		n.steered(m)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.advice == nil {
		c.advice = make(map[string][]steerMessage)
	}
	c.advice[session] = append(c.advice[session], m)
}

// listen reads the messages for the turn.
func (t *turn) listen() {
	n := t.actor.language.(*nativeLanguage) //nolint:forcetypeassert // ACP agents answer at once
	t.actor.mu.Lock()
	advice := t.actor.advice[t.session]
	delete(t.actor.advice, t.session)
	t.actor.mu.Unlock()
	for _, m := range advice {
		n.steered(m)
	}
}

// steer answers a message for the running turn.
func (a *acpLanguage) steer(m *message) {
	var text strings.Builder
	for _, b := range m.params.Prompt {
		text.WriteString(b.Text)
	}
	a.actor.mu.Lock()
	runs := len(a.actor.turns[m.params.SessionID]) > 0
	a.actor.mu.Unlock()
	outcome := object{"outcome": "promptRequired", "reason": "noRunningTurn"}
	switch {
	case !runs:
	case a.actor.way(text.String()) == steersNever:
		outcome["reason"] = "refused"
	default:
		answer := line(object{"jsonrpc": "2.0", "id": m.ID, "result": object{"outcome": "injected"}})
		a.actor.keep(m.params.SessionID, encode(object{"sessionUpdate": "user_message_chunk", "content": object{"type": "text", "text": text.String()}}))
		a.actor.log(&event{kind: steered, actor: a.actor, subject: text.String()}, func() string { return answer }, a.actor.out)
		return
	}
	a.reply(m.ID, outcome)
}

// steer sends a message for the running turn, or for a new one.
func steer(_ *World, c *client, id string, s *Step) string {
	token := c.steerToken()
	params := object{"sessionId": id, "prompt": []object{{"type": "text", "text": token}}}
	if s.C/8%2 == 0 {
		params["_meta"] = object{"steering": object{"idleBehavior": "promptRequired"}}
	}
	c.call("_session/steering", params)
	return "steers with " + token
}
