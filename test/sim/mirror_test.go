package sim

import (
	"bufio"
	"context"
	"fmt"
	"strconv"

	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// A mirror is an AHP client. It mirrors the chats that it subscribes to.
type mirror struct {
	world                *World
	name                 string
	number               int
	agent                *agentSpec
	server               *server
	toServer, fromServer *pipe

	// The world's lock guards the following fields.
	memory

	leaving bool // nothing that it says reaches the server any more
	gone    bool
	lastID  int
	prompts int
	calls   map[string]*mirrorCall // by id
}

// A reflection is a mirrored chat.
type reflection struct {
	ahp.Chat

	pieces []string // of the agent's text
	rest   string   // the end of the text that may be half a piece
}

// text adds text of the agent, and returns its new pieces.
func (r *reflection) text(text string) (fresh []string) {
	fresh, r.rest = piecesIn(r.rest + text)
	r.pieces = append(r.pieces, fresh...)
	return fresh
}

// openHost starts the server's host for AHP clients.
func (s *server) openHost() *ahphost.Host {
	if s.host != nil {
		return s.host
	}
	config := ahphost.Config{Version: version, Log: s.world.log, Journal: s.store, Folder: hostFolder, Files: s.disk, Now: s.disk.Now, Spool: s.world.spool, ChatBytes: s.world.plan.ChatBytes, Home: cwd}
	for i := range s.world.plan.Agents {
		a := &s.world.plan.Agents[i]
		config.Agents = append(config.Agents, ahphost.Agent{
			Provider: a.Name, Key: a.Name, Title: a.Name,
			Open: func(v core.View, hangUp func()) (core.Source, error) {
				return s.hubs[a.Name].Connect(v, hub.Client{Host: true, HangUp: hangUp}), nil
			},
		})
	}
	host := ahphost.New(config)
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	s.host = host
	return host
}

// worked notifies the server's host of an agent's activity.
func (s *server) worked(a *agentSpec, id string) {
	s.world.mu.Lock()
	host := s.host
	s.world.mu.Unlock()
	if host != nil {
		host.Worked(a.Name, id)
	}
}

// reflect connects an AHP client, or subscribes one to a session.
func (w *World) reflect(s *Step) string {
	var able []*mirror
	w.mu.Lock()
	for _, m := range w.mirrors {
		if !m.gone && !m.leaving {
			able = append(able, m)
		}
	}
	w.mu.Unlock()
	if len(able) == 0 {
		return w.connectMirror(w.pick(s.B), &w.plan.Agents[s.A%uint32(len(w.plan.Agents))]).name + " connects" //nolint:gosec // few agents
	}
	m := able[s.A%uint32(len(able))] //nolint:gosec // few clients
	var ids []string
	w.mu.Lock()
	for _, one := range w.sessions {
		if one.agent == m.agent && m.chats[one.id] == nil && !one.deleted {
			ids = append(ids, one.id)
		}
	}
	w.mu.Unlock()
	switch {
	case s.C%8 == 0:
		w.mu.Lock()
		m.leaving = true
		w.mu.Unlock()
		_ = m.toServer.Close() // never fails
		return m.name + " leaves"
	case len(ids) == 0:
		return ""
	}
	id := ids[s.B%uint32(len(ids))] //nolint:gosec // few sessions
	m.subscribe(id)
	return m.name + " subscribes to " + id
}

func (w *World) connectMirror(to *server, a *agentSpec) *mirror {
	m := w.dialMirror(to, a)
	m.memory = newMemory(m.name)
	m.call("initialize", object{
		"channel": ahp.Root, "protocolVersions": []string{"1.0.0"}, "clientId": m.id, "initialSubscriptions": []string{ahp.Root},
	})
	return m
}

// dialMirror opens a connection for an AHP client.
func (w *World) dialMirror(to *server, a *agentSpec) *mirror { return w.dialMirrorAs(to, a, false) }

// dialMirrorAs is like dialMirror, for a client that perhaps can only watch.
func (w *World) dialMirrorAs(to *server, a *agentSpec, watches bool) *mirror {
	m := &mirror{
		world: w, name: fmt.Sprintf("mirror%d", len(w.mirrors)), number: len(w.mirrors), agent: a, server: to, toServer: newSlowPipe(0, w.latency()), fromServer: newPipe(pipeSize),
		calls: make(map[string]*mirrorCall),
	}
	w.mu.Lock()
	w.mirrors = append(w.mirrors, m)
	w.mu.Unlock()
	host := to.openHost()
	to.work.Go(func() {
		closeIn := func() error { m.toServer.cut(); return nil }
		_ = host.ServeFrom(context.Background(), consent.Client{Token: m.name, Watches: watches}, m.toServer, m.fromServer, closeIn) // a cut connection is an error
		m.toServer.cut()
		_ = m.fromServer.Close() // never fails
	})
	go m.read()
	return m
}

func (m *mirror) write(o object) {
	o["jsonrpc"] = "2.0"
	text := line(o)
	m.world.note(m.name, "> "+text)
	_, _ = m.toServer.Write([]byte(text)) // fails once the connection has ended
}

// call sends a request.
func (m *mirror) call(method string, params object) {
	m.lastID++
	id := strconv.Itoa(m.lastID)
	channel, _ := params["channel"].(string)
	channels, _ := params["subscriptions"].([]string)
	m.world.mu.Lock()
	m.calls[id] = &mirrorCall{method: method, channel: channel, channels: channels}
	m.world.mu.Unlock()
	m.write(object{"id": m.lastID, "method": method, "params": params})
}

// subscribe follows a session's chat.
func (m *mirror) subscribe(id string) {
	m.call("subscribe", object{"channel": m.channel(id)})
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.world.noteTakeover(m.server, id)
}

// channel returns the channel of a session's chat.
func (m *mirror) channel(id string) string { return ahp.ChatURI(m.session(id)) }

// session returns the channel of a session.
func (m *mirror) session(id string) string { return ahp.SessionURI(m.agent.Name, id) }

// read mirrors what the host sends, until the connection ends.
func (m *mirror) read() {
	for lines := bufio.NewReader(m.fromServer); ; {
		text, err := lines.ReadString('\n')
		if err != nil {
			m.world.mu.Lock()
			m.gone = true
			m.world.mu.Unlock()
			break
		}
		m.world.note(m.name, "< "+text)
		if err := leak(text); err != nil {
			m.world.fail(secretsStay, err)
		}
		if err := m.take(text); err != nil {
			m.world.fail("AHP clients get what they understand", err)
			break
		}
	}
	m.toServer.cut()
}

// confirm lets an AHP client answer a request for confirmation, perhaps with an option that
// doesn't agree with its decision.
func (w *World) confirm(s *Step) string {
	type question struct {
		m       *mirror
		session string
		turn    string
		call    *ahp.ToolCall
	}
	var open []question
	w.mu.Lock()
	for _, m := range w.mirrors {
		for _, id := range sortedKeys(m.chats) {
			turn := m.chats[id].ActiveTurn
			if m.gone || turn == nil {
				continue
			}
			for i := range turn.ResponseParts {
				if c := turn.ResponseParts[i].ToolCall; c != nil && c.Status == ahp.CallPending && len(c.Options) > 0 {
					open = append(open, question{m, id, turn.ID, c})
				}
			}
		}
	}
	if len(open) == 0 {
		w.mu.Unlock()
		return ""
	}
	q := open[s.A%uint32(len(open))]                     //nolint:gosec // few requests
	o := q.call.Options[s.B%uint32(len(q.call.Options))] //nolint:gosec // few options
	subject := original(q.call.ToolCallID)
	w.mu.Unlock()
	approved := (o.Kind == ahp.Approve) == (s.C%8 > 0)
	w.see(&event{kind: confirmed, mirror: q.m, session: q.session, subject: subject, turn: turnOf(subject), allows: approved && o.Kind == ahp.Approve})
	q.m.dispatch(q.session, object{
		"type": "chat/toolCallConfirmed", "turnId": q.turn, "toolCallId": q.call.ToolCallID, "approved": approved, "selectedOptionId": o.ID,
	})
	return fmt.Sprintf("%s answers %s: %v", q.m.name, subject, approved)
}
