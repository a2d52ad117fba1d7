package sim

import (
	"encoding/json"
	"fmt"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
)

// A mirrorCall is a request of an AHP client.
type mirrorCall struct {
	method, channel string
	channels        []string // for reconnect: the subscriptions
	answered        bool
	done            func(result json.RawMessage, failed bool) // may be nil
}

// A notice is something that an AHP client wrote or read, besides what an event says.
type notice struct {
	kind      noticeKind
	mirror    *mirror
	call      *mirrorCall // for replied; nil if the client made no such request
	channel   string
	seq       int64 // for acted: the number of the action
	before    int64 // for acted: the number of the last one
	clientID  string
	clientSeq int64
	action    string // its type
	raw       json.RawMessage
	reason    string // for acted: why the action was rejected
	own       string // for compared: the client's state
	fresh     string // for compared: the host's
	turns     []ahp.Turn
	into      []ahp.Turn // for loadedTurns: the turns that follow
	chat      *ahp.Chat  // for learned
}

type noticeKind int

const (
	replied     noticeKind = iota // an AHP client gets a response
	dispatched                    // … sends an action
	acted                         // … gets an action
	compared                      // … gets a fresh snapshot of a channel that it mirrors
	learned                       // … gets the state of a chat
	loadedTurns                   // … gets older turns of a chat
)

// A watcherLaw is a law that also sees what AHP clients write and read.
type watcherLaw interface {
	// watch returns an error if a notice breaks the law.
	watch(w *World, n *notice) error
}

// watch shows a notice to the laws. The caller holds the lock.
func (w *World) watch(n *notice) {
	if w.failure != nil || n.mirror.server.killed {
		return
	}
	for _, l := range w.laws {
		if watcher, is := l.(watcherLaw); is {
			if err := watcher.watch(w, n); err != nil {
				w.failLocked(l.name(), err)
				return
			}
		}
	}
}

// An envelope is an action as a host sends it.
type envelope struct {
	Channel string          `json:"channel"`
	Action  json.RawMessage `json:"action"`
	Seq     int64           `json:"serverSeq"`
	Origin  struct {
		ClientID  string `json:"clientId"`
		ClientSeq int64  `json:"clientSeq"`
	} `json:"origin"`
	Reason string `json:"rejectionReason"`
}

// take handles a line from the host.
func (m *mirror) take(text string) error {
	var line struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
		Result json.RawMessage `json:"result"`
		Error  json.RawMessage `json:"error"`
	}
	if err := exactjson.Unmarshal([]byte(text), &line); err != nil {
		return err
	}
	switch line.Method {
	case "":
		return m.replied(string(line.ID), line.Result, len(line.Error) > 0)
	case "action":
		var e envelope
		if err := exactjson.Unmarshal(line.Params, &e); err != nil {
			return err
		}
		return m.acted(&e)
	case "root/sessionRemoved":
		name, _ := nameOf(rawmsg.MemberText(line.Params, "session"))
		m.world.mu.Lock()
		defer m.world.mu.Unlock()
		delete(m.chats, name)
		delete(m.sessions, name)
	}
	return nil
}

// acted handles an action.
func (m *mirror) acted(e *envelope) error {
	m.world.mu.Lock()
	m.world.watch(&notice{
		kind: acted, mirror: m, channel: e.Channel, seq: e.Seq, before: m.seen, clientID: e.Origin.ClientID, clientSeq: e.Origin.ClientSeq,
		action: rawmsg.MemberText(e.Action, "type"), raw: e.Action, reason: e.Reason,
	})
	m.seen = e.Seq
	m.world.mu.Unlock()
	if e.Reason != "" {
		return nil
	}
	return m.apply(e.Channel, e.Action)
}

// A snapshot is the state of a channel as a host sends it.
type snapshot struct {
	Resource string          `json:"resource"`
	State    json.RawMessage `json:"state"`
	Seq      int64           `json:"fromSeq"`
}

// replied handles a response.
func (m *mirror) replied(id string, result json.RawMessage, failed bool) error {
	m.world.mu.Lock()
	call := m.calls[id]
	m.world.watch(&notice{kind: replied, mirror: m, call: call})
	if call != nil {
		call.answered = true
		if call.done != nil {
			call.done(result, failed)
		}
	}
	m.world.mu.Unlock()
	switch {
	case call == nil:
		return nil
	case failed:
		if call.method == "reconnect" {
			m.forget()
		}
		return nil
	case call.method == "reconnect":
		return m.reconnected(result, call.channels)
	case call.method == "initialize":
		var started struct {
			Seq       int64      `json:"serverSeq"`
			Snapshots []snapshot `json:"snapshots"`
		}
		if err := exactjson.Unmarshal(result, &started); err != nil {
			return err
		}
		m.seen = started.Seq
		return m.learnAll(started.Snapshots)
	case call.method == "subscribe":
		var one struct {
			Snapshot snapshot `json:"snapshot"`
		}
		if err := exactjson.Unmarshal(result, &one); err != nil {
			return err
		}
		if one.Snapshot.Seq < m.seen {
			return fmt.Errorf("the snapshot of %s is older than the last action", call.channel)
		}
		m.seen = one.Snapshot.Seq
		m.world.mu.Lock()
		knows := !m.isReturning() // otherwise it may have missed actions
		m.world.mu.Unlock()
		return m.learn(call.channel, one.Snapshot.State, knows)
	}
	return nil
}

// forget drops all states, because the client isn't subscribed to their channels.
func (m *mirror) forget() {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.root = nil
	clear(m.sessions)
	clear(m.chats)
}

// learnAll takes the states of channels.
func (m *mirror) learnAll(snapshots []snapshot) error {
	for _, s := range snapshots {
		if err := m.learn(s.Resource, s.State, false); err != nil {
			return err
		}
	}
	return nil
}
