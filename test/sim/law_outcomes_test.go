package sim

import "fmt"

// outcomesLaw: each action of an AHP client is either applied or rejected, once, and a client
// that follows the channel learns which. Nobody else sees an action that was rejected.
type outcomesLaw struct{ sent map[ownAction]*outcome }

// An ownAction identifies an action of an AHP client.
type ownAction struct {
	client string
	number int64
}

// An outcome is what happened to an action.
type outcome struct {
	of                *notice
	due               bool        // the client follows the channel
	chat              *reflection // nil unless the action is about a chat
	applied, rejected bool
}

func newOutcomes() law { return &outcomesLaw{make(map[ownAction]*outcome)} }

func (*outcomesLaw) name() string { return "each action of an AHP client has one outcome" }

// watch implements [watcherLaw].
func (l *outcomesLaw) watch(w *World, n *notice) error {
	id := ownAction{n.clientID, n.clientSeq}
	if n.kind == dispatched {
		name, _ := nameOf(n.channel)
		l.sent[id] = &outcome{of: n, chat: n.mirror.chats[name], due: n.mirror.follows(n.channel) && !n.mirror.isReturning() && !w.isDisposing(n.channel)}
	}
	if n.kind != acted || n.clientID == "" {
		return nil
	}
	o := l.sent[id]
	switch {
	case o == nil:
		return fmt.Errorf("%s gets the action %d of %s, who never sent it", n.mirror.name, n.clientSeq, n.clientID)
	case o.rejected:
		return fmt.Errorf("%s gets the action %d of %s, which was rejected", n.mirror.name, n.clientSeq, n.clientID)
	case n.reason == "":
		o.applied = true
	case o.applied || n.clientID != n.mirror.id:
		return fmt.Errorf("%s is told that the action %d of %s was rejected", n.mirror.name, n.clientSeq, n.clientID)
	default:
		o.rejected = true
	}
	return nil
}

func (l *outcomesLaw) see(w *World, e *event) error {
	if e.kind != rested {
		return nil
	}
	for id, o := range l.sent {
		m := o.of.mirror
		if name, _ := nameOf(o.of.channel); m.chats[name] != o.chat {
			continue // the client has unsubscribed meanwhile
		}
		if o.due && !m.gone && !o.applied && !o.rejected && m.follows(o.of.channel) {
			return fmt.Errorf("%s never learns the outcome of its action %d (%s)", m.name, id.number, o.of.action)
		}
	}
	return nil
}

// isReturning reports whether the client waits for the response to reconnect. It may learn the
// outcome from a snapshot. The caller holds the lock.
func (m *mirror) isReturning() bool {
	for _, call := range m.calls {
		if call.method == "reconnect" && !call.answered {
			return true
		}
	}
	return false
}

// isDisposing reports whether a client waits for the response to the request to dispose of a
// channel's session. The session may be gone, and actions without a channel are ignored. The
// caller holds the lock.
func (w *World) isDisposing(channel string) bool {
	name, _ := nameOf(channel)
	for _, m := range w.mirrors {
		for _, call := range m.calls {
			if call.method == "disposeSession" && !call.answered && call.channel == m.session(name) {
				return true
			}
		}
	}
	return false
}

// follows reports whether the client mirrors a channel. The caller holds the lock.
func (m *mirror) follows(channel string) bool {
	name, isChat := nameOf(channel)
	if isChat {
		return m.chats[name] != nil
	}
	return m.sessions[name] != nil
}

func (*outcomesLaw) end(*World) error { return nil }
