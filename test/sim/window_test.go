package sim

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// hostFolder is the folder in which servers save what their hosts for AHP clients know.
const hostFolder = "/ahp"

// A creation is a session that an AHP client creates. It isn't one of the world's sessions,
// because ACP clients don't know it by this name.
type creation struct {
	name     string // the end of its channel
	agent    *agentSpec
	second   bool // on the second server
	open     bool
	disposed bool
	rewound  bool   // a copy may have taken its place
	empty    bool   // a client went back to its beginning, so it is not saved
	id       string // for its agent, and perhaps for ACP clients; "" before its first turn
}

// noteCreated records under which name an agent knows a created session. The caller holds the
// lock.
func (w *World) noteCreated(e *event) {
	if c := w.creation(w.prompted[e.turn]); c != nil && e.kind == began && c.id == "" {
		c.id = e.session
	}
}

// live returns the AHP clients that are connected. The caller holds the lock.
func (w *World) live() (all []*mirror) {
	for _, m := range w.mirrors {
		if !m.gone && !m.leaving {
			all = append(all, m)
		}
	}
	return all
}

// withMirror turns an AHP client's action into a step's action.
func withMirror(do func(w *World, m *mirror, s *Step) string) func(*World, *Step) string {
	return func(w *World, s *Step) string {
		w.mu.Lock()
		all := w.live()
		w.mu.Unlock()
		if len(all) == 0 {
			return ""
		}
		m := all[s.A%uint32(len(all))] //nolint:gosec // few clients
		did := do(w, m, s)
		if did != "" {
			did = m.name + " " + did
		}
		return did
	}
}

// maxMirrors bounds a world's connections of AHP clients.
const maxMirrors = 12

// create lets an AHP client create a session, perhaps with a configuration, and subscribe to
// it. Some clients create one that exists.
func (w *World) create(s *Step) string {
	w.mu.Lock()
	all := w.live()
	w.mu.Unlock()
	var m *mirror
	switch {
	case len(all) == 0 || s.B%4 == 0 && len(w.mirrors) < maxMirrors:
		m = w.connectMirror(w.pick(s.B/4), &w.plan.Agents[s.A%uint32(len(w.plan.Agents))]) //nolint:gosec // few agents
		w.settle()
	default:
		m = all[s.A%uint32(len(all))] //nolint:gosec // few clients
	}
	n := len(w.creations)
	made := &creation{agent: m.agent, second: m.server == w.second}
	if n > 0 && s.C%16 == 0 && w.creations[n-1].agent == made.agent && w.creations[n-1].second == made.second {
		n-- // on the same server, or the inspectors would look on the wrong one
	}
	made.name = fmt.Sprintf("new-%d", n)
	params := object{"channel": m.session(made.name), "provider": m.agent.Name, "activeClient": object{"clientId": m.id}}
	params["workingDirectories"] = []string{"file://" + w.shownFiles()}
	if s.C/16%2 == 0 {
		params["config"] = object{"loud": "off", "mode": "go", "fast": "off", "none": 1}
	}
	switch s.C / 32 % 16 {
	case 0:
		params["workingDirectories"] = []string{"file:///work", "file:///tmp"}
	case 1:
		delete(params, "workingDirectories")
		params["workingDirectory"] = "file:///work"
	case 2:
		params["workingDirectories"] = []string{"nowhere"}
	case 3:
		params["provider"] = "nobody"
	}
	m.callFor("createSession", params, func(_ json.RawMessage, failed bool) { made.open = made.open || !failed })
	if n == len(w.creations) {
		w.mu.Lock()
		w.creations = append(w.creations, made)
		w.mu.Unlock()
	}
	m.subscribe(made.name)
	m.call("subscribe", object{"channel": m.session(made.name)})
	return m.name + " creates " + made.name
}

// shownFiles returns a real folder with a file, for sessions that clients create.
func (w *World) shownFiles() string {
	folder, err := filepath.Abs("testdata/files")
	if err != nil {
		w.fail("the folder of this test is known", err)
	}
	return folder
}

// callFor sends a request with its own handler of the response. The handler is called with
// the lock held.
func (m *mirror) callFor(method string, params object, done func(result json.RawMessage, failed bool)) {
	m.call(method, params)
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.calls[strconv.Itoa(m.lastID)].done = done
}

// dispose lets an AHP client dispose of a session. That only drops an empty one.
func dispose(w *World, m *mirror, name string, _ *Step) string {
	m.callFor("disposeSession", object{"channel": m.session(name)}, func(_ json.RawMessage, failed bool) {
		if c := w.creation(name); c != nil && !failed {
			c.disposed = true
		}
	})
	return m.name + " disposes of " + name
}

// creation returns the created session of a name, or nil. The caller holds the lock.
func (w *World) creation(name string) *creation {
	i := slices.IndexFunc(w.creations, func(c *creation) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return w.creations[i]
}

func follow(_ *World, m *mirror, name string, _ *Step) string {
	m.call("subscribe", object{"channel": m.session(name)})
	return m.name + " follows " + name
}

func unfollow(w *World, m *mirror, name string, _ *Step) string {
	if m.isSubscribing(name) {
		return ""
	}
	m.write(object{"method": "unsubscribe", "params": object{"channel": m.channel(name)}})
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(m.chats, name)
	return m.name + " unsubscribes from the chat of " + name
}

// isSubscribing is like awaits, without the lock.
func (m *mirror) isSubscribing(name string) bool {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	return m.awaits(name)
}

// awaits reports whether the client waits for the state of a session's chat. The caller holds the
// world's lock.
func (m *mirror) awaits(name string) bool {
	for _, call := range m.calls {
		if !call.answered && (call.method == "reconnect" || call.method == "subscribe" && call.channel == m.channel(name)) {
			return true
		}
	}
	return false
}

// refresh subscribes a client again to what it mirrors. The laws compare the fresh states with
// its own.
func refresh(_ *World, m *mirror, _ *Step) string {
	m.refresh()
	return "subscribes again"
}

func (m *mirror) refresh() {
	for _, channel := range m.channels() {
		m.call("subscribe", object{"channel": channel})
	}
}

// channels returns the channels that the client is subscribed to.
func (m *mirror) channels() []string {
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	all := []string{ahp.Root}
	for _, name := range sortedKeys(m.sessions) {
		all = append(all, m.session(name))
	}
	for _, name := range sortedKeys(m.chats) {
		all = append(all, m.channel(name))
	}
	return all
}

// nap lets a client stop reading, or read again.
func nap(_ *World, m *mirror, s *Step) string {
	sleeps := s.B%3 > 0
	m.fromServer.setStalled(sleeps)
	if sleeps {
		return "reads nothing"
	}
	return "reads again"
}

// reconnect breaks the connection of an AHP client, or connects one again that has lost its
// connection, perhaps to a server that was restarted meanwhile.
func (w *World) reconnect(s *Step) string {
	var able []*mirror
	w.mu.Lock()
	for _, m := range w.mirrors {
		if !m.left && m.root != nil && (m.server == w.server || m.server == w.second || w.second == nil) {
			able = append(able, m)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return ""
	}
	m := able[s.A%uint32(len(able))] //nolint:gosec // few clients
	if !m.gone {
		m.toServer.cut()
		m.fromServer.cut()
		if s.B%2 == 0 {
			return m.name + " loses its connection"
		}
		w.settle()
	}
	if s.C%4 == 0 {
		time.Sleep(time.Duration(1+s.C/4%60) * time.Second) // sessions are detached after 30 seconds
	}
	to := m.server
	if to != w.server && to != w.second {
		to = w.server
	}
	return m.name + " connects again as " + w.reconnectMirror(to, m).name
}

// reconnectMirror connects a client whose connection is lost.
func (w *World) reconnectMirror(to *server, before *mirror) *mirror {
	m := w.dialMirror(to, before.agent)
	w.mu.Lock()
	before.left, m.memory = true, before.memory
	w.mu.Unlock()
	channels := m.channels()
	for _, channel := range channels {
		if name, isChat := nameOf(channel); isChat { // the host opens it again
			w.mu.Lock()
			w.noteTakeover(to, name)
			w.mu.Unlock()
		}
	}
	m.call("reconnect", object{"clientId": m.id, "lastSeenServerSeq": m.seen, "subscriptions": channels})
	return m
}

// reconnected handles the response to reconnect.
func (m *mirror) reconnected(result json.RawMessage, channels []string) error {
	var reply struct {
		Type      string            `json:"type"`
		Actions   []json.RawMessage `json:"actions"`
		Snapshots []snapshot        `json:"snapshots"`
		Missing   []string          `json:"missing"`
	}
	if err := exactjson.Unmarshal(result, &reply); err != nil {
		return err
	}
	if reply.Type == "replay" {
		for _, raw := range reply.Actions {
			var e envelope
			if err := exactjson.Unmarshal(raw, &e); err != nil {
				return err
			}
			if !slices.Contains(channels, e.Channel) {
				return fmt.Errorf("the replay has an action of %s", e.Channel)
			}
			if err := m.acted(&e); err != nil {
				return err
			}
		}
		return nil
	}
	if len(reply.Snapshots)+len(reply.Missing) != len(channels) {
		return fmt.Errorf("%d snapshots of %d channels, and %d are missing", len(reply.Snapshots), len(channels), len(reply.Missing))
	}
	m.world.mu.Lock()
	for _, channel := range reply.Missing {
		if name, isChat := nameOf(channel); isChat {
			delete(m.chats, name)
		} else {
			delete(m.sessions, name)
		}
	}
	for _, s := range reply.Snapshots {
		m.seen = max(m.seen, s.Seq)
	}
	m.world.mu.Unlock()
	return m.learnAll(reply.Snapshots)
}
