package sim

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/test/ahptest"
)

// A memory is what an AHP client still knows when its connection is lost. It mirrors the
// channels that the client is subscribed to. The names of sessions are the ends of their
// channels.
type memory struct {
	id       string // the client's, for the host
	seen     int64  // the number of the last action
	acts     int64  // the number of the client's own last action
	root     *ahp.RootState
	sessions map[string]*ahp.Session
	chats    map[string]*reflection
	left     bool // another connection of the client continues
}

func newMemory(id string) memory {
	return memory{id: id, sessions: make(map[string]*ahp.Session), chats: make(map[string]*reflection)}
}

// chat returns a mirrored chat. It is empty if the client doesn't mirror it any more. The caller
// holds the lock.
func (m *mirror) chat(name string) *reflection {
	if r := m.chats[name]; r != nil {
		return r
	}
	return new(reflection)
}

// nameOf returns the name of a channel's session, and whether the channel is its chat.
func nameOf(channel string) (name string, isChat bool) {
	session, isChat := ahp.SessionOfChat(channel)
	if !isChat {
		session = channel
	}
	_, name, _ = ahp.ParseSession(session)
	return name, isChat
}

// learn takes the state of a channel. If the client mirrors the channel already, and keep is
// set, its own state must be the same.
func (m *mirror) learn(channel string, raw json.RawMessage, keep bool) error {
	name, isChat := nameOf(channel)
	switch {
	case isChat:
		return m.learnChat(name, channel, raw, keep)
	case channel == ahp.Root:
		state := new(ahp.RootState)
		if err := exactjson.Unmarshal(raw, state); err != nil {
			return err
		}
		if m.root != nil && keep {
			m.compare(channel, m.root, state)
		}
		m.root = state
	default:
		state := new(ahp.Session)
		if err := exactjson.Unmarshal(raw, state); err != nil {
			return err
		}
		m.world.mu.Lock()
		defer m.world.mu.Unlock()
		if known := m.sessions[name]; known != nil && keep {
			m.compareLocked(channel, known, state)
		}
		m.sessions[name] = state
	}
	return nil
}

// learnChat takes the state of a chat.
func (m *mirror) learnChat(name, channel string, raw json.RawMessage, keep bool) error {
	r := new(reflection)
	if err := exactjson.Unmarshal(raw, &r.Chat); err != nil {
		return err
	}
	m.world.mu.Lock()
	known := m.chats[name]
	if known != nil && keep {
		m.compareLocked(channel, trimmed(&known.Chat, &r.Chat), trimmed(&r.Chat, &r.Chat))
		m.world.mu.Unlock()
		return nil
	}
	r.read()
	m.chats[name] = r
	m.world.watch(&notice{kind: learned, mirror: m, chat: &r.Chat})
	m.world.mu.Unlock()
	m.world.see(&event{kind: mirrored, mirror: m, session: name, fresh: r.pieces})
	return nil
}

// read collects the agent's text of the whole chat.
func (r *reflection) read() {
	r.pieces, r.rest = nil, ""
	turns := r.Turns
	if r.ActiveTurn != nil {
		turns = append(slices.Clip(turns), *r.ActiveTurn)
	}
	for i := range turns {
		for j := range turns[i].ResponseParts {
			if p := &turns[i].ResponseParts[j]; p.Kind == ahp.PartMarkdown && p.Content != nil {
				r.text(p.Content.String())
			}
		}
	}
}

// trimmed returns a chat without what may differ from a fresh snapshot: its times, and the
// turns that no longer fit into the snapshot.
func trimmed(c, fresh *ahp.Chat) ahp.Chat {
	copied := *c
	copied.ModifiedAt, copied.TurnsNextCursor = "", ""
	if older := len(c.Turns) - len(fresh.Turns); older > 0 && fresh.TurnsNextCursor != "" {
		copied.Turns = c.Turns[older:]
	}
	return copied
}

// compare shows the laws the mirrored state of a channel and its fresh state.
func (m *mirror) compare(channel string, own, fresh any) {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.compareLocked(channel, own, fresh)
}

func (m *mirror) compareLocked(channel string, own, fresh any) {
	m.world.watch(&notice{kind: compared, mirror: m, channel: channel, own: string(encode(own)), fresh: string(encode(fresh))})
}

// actions are the actions of a host that aren't for chats.
var actions = []ahp.Action{
	&ahp.AgentsChanged{}, &ahp.TitleChanged{}, &ahp.SessionIsReadChanged{}, &ahp.SessionIsArchivedChanged{}, &ahp.ChatUpdated{}, &ahp.ConfigChanged{},
	&ahp.InputNeededSet{}, &ahp.InputNeededRemoved{}, &ahp.ActiveClientSet{}, &ahp.ActiveClientRemoved{},
}

// apply applies an action to the state of its channel.
func (m *mirror) apply(channel string, raw json.RawMessage) error {
	name, isChat := nameOf(channel)
	kind := rawmsg.MemberText(raw, "type")
	if isChat {
		return m.applyToChat(name, kind, raw)
	}
	for _, known := range actions {
		if known.ActionType() != kind {
			continue
		}
		a := reflect.New(reflect.TypeOf(known).Elem()).Interface().(ahp.Action) //nolint:forcetypeassert // it has the type of known
		if err := exactjson.Unmarshal(raw, a); err != nil {
			return err
		}
		m.world.mu.Lock()
		defer m.world.mu.Unlock()
		if changed, is := a.(*ahp.AgentsChanged); is && m.root != nil {
			m.root.Agents = changed.Agents
		} else if s := m.sessions[name]; s != nil {
			s.Apply(a)
		}
		return nil
	}
	return fmt.Errorf("unknown action %.100s", raw)
}

func (m *mirror) applyToChat(name, kind string, raw json.RawMessage) error {
	m.world.mu.Lock()
	r := m.chats[name]
	m.world.mu.Unlock()
	if r == nil || strings.HasPrefix(kind, "session/") { // it is only confirmed there
		return nil
	}
	if kind == "chat/turnsLoaded" {
		return m.prepend(r, raw)
	}
	a, err := ahptest.Decode(raw)
	if err != nil {
		return fmt.Errorf("an action can't be decoded: %w: %s", err, raw)
	}
	m.world.mu.Lock()
	r.Apply(a, "")
	var fresh []string
	switch a := a.(type) {
	case *ahp.Delta:
		fresh = r.text(a.Content.String())
	case *ahp.ResponsePart:
		if a.Part.Kind == ahp.PartMarkdown && a.Part.Content != nil {
			fresh = r.text(a.Part.Content.String())
		}
	case *ahp.Truncated:
		r.read()
	}
	m.world.mu.Unlock()
	m.world.see(&event{kind: mirrored, mirror: m, session: name, fresh: fresh})
	return nil
}

// prepend adds older turns to a chat.
func (m *mirror) prepend(r *reflection, raw json.RawMessage) error {
	var loaded struct {
		Turns []ahp.Turn `json:"turns"`
		Next  string     `json:"turnsNextCursor"`
	}
	if err := exactjson.Unmarshal(raw, &loaded); err != nil {
		return err
	}
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	if r.TurnsNextCursor == "" { // it has all
		return nil
	}
	m.world.watch(&notice{kind: loadedTurns, mirror: m, turns: loaded.Turns, into: r.Turns})
	r.Turns, r.TurnsNextCursor = slices.Concat(loaded.Turns, r.Turns), loaded.Next
	r.read()
	return nil
}
