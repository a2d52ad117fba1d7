package sim

// mirrorNumbers is where the numbers in the tokens of AHP clients' prompts begin.
const mirrorNumbers = 100

// withChat applies an action to a chat that an AHP client mirrors.
func withChat(do func(w *World, m *mirror, id string, s *Step) string) func(*World, *Step) string {
	return func(w *World, s *Step) string {
		type place struct {
			m  *mirror
			id string
		}
		var able []place
		w.mu.Lock()
		for _, m := range w.mirrors {
			for _, id := range sortedKeys(m.chats) {
				if !m.gone && !m.leaving {
					able = append(able, place{m, id})
				}
			}
		}
		w.mu.Unlock()
		if len(able) == 0 {
			return ""
		}
		at := able[s.A%uint32(len(able))] //nolint:gosec // few chats
		return do(w, at.m, at.id, s)
	}
}

// say lets an AHP client start a turn.
func say(w *World, m *mirror, id string, _ *Step) string {
	w.mu.Lock()
	if !w.maySay(id) {
		w.mu.Unlock()
		return ""
	}
	token := m.newToken(id)
	w.mu.Unlock()
	m.dispatch(id, object{
		"type": "chat/turnStarted", "turnId": token, "startedAt": "2000-01-01T00:00:00Z",
		"message": object{"text": token, "origin": object{"kind": "user"}},
	})
	return m.name + " prompts " + token
}

// stop lets an AHP client cancel the active turn.
func stop(w *World, m *mirror, id string, _ *Step) string {
	w.mu.Lock()
	turn := m.chat(id).ActiveTurn
	if turn == nil {
		w.mu.Unlock()
		return ""
	}
	token := turn.Message.Text
	if s := w.session(id); w.prompted[token] == "" && s != nil && s.running != "" {
		token = s.running // it begins with a message that the running turn got
	}
	w.mu.Unlock()
	w.see(&event{kind: stopped, mirror: m, session: id, turn: token})
	m.dispatch(id, object{"type": "chat/turnCancelled", "turnId": turn.ID})
	return m.name + " cancels " + token
}

// dispatch sends an action for a session's chat.
func (m *mirror) dispatch(id string, action object) { m.dispatchOn(m.channel(id), id, action) }

// dispatchOn sends an action for one of a session's channels.
func (m *mirror) dispatchOn(channel, id string, action object) {
	m.world.mu.Lock()
	m.world.noteTakeover(m.server, id)
	m.acts++
	seq := m.acts
	kind, _ := action["type"].(string)
	m.world.watch(&notice{kind: dispatched, mirror: m, clientID: m.id, clientSeq: seq, channel: channel, action: kind, raw: encode(action)})
	m.world.mu.Unlock()
	m.write(object{"method": "dispatchAction", "params": object{"channel": channel, "clientSeq": seq, "action": action}})
}
