package sim

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnwire/turnwire/internal/bridge/ahphost"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/test/ahptest"
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
	gone      bool
	lastID    int
	lastSeq   int
	prompts   int
	requested map[string]string // by request: the session it subscribes to
	chats     map[string]*reflection
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
	config := ahphost.Config{Version: version, Log: s.world.log, Journal: s.store, Spool: s.world.spool, Home: cwd}
	for i := range s.world.plan.Agents {
		a := &s.world.plan.Agents[i]
		config.Agents = append(config.Agents, ahphost.Agent{
			Provider: a.Name, Key: a.Name, Title: a.Name,
			Open: func(v core.View, hangUp func()) (core.Source, error) {
				return s.hubs[a.Name].Connect(v, hub.Client{Host: true, HangUp: hangUp}), nil
			},
		})
	}
	s.host = ahphost.New(config)
	return s.host
}

// reflect connects an AHP client, or subscribes one to a session.
func (w *World) reflect(s *Step) string {
	var able []*mirror
	w.mu.Lock()
	for _, m := range w.mirrors {
		if !m.gone {
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
	m := &mirror{
		world: w, name: fmt.Sprintf("mirror%d", len(w.mirrors)), number: len(w.mirrors), agent: a, server: to, toServer: newSlowPipe(0, w.latency()), fromServer: newPipe(pipeSize),
		requested: make(map[string]string), chats: make(map[string]*reflection),
	}
	w.mu.Lock()
	w.mirrors = append(w.mirrors, m)
	w.mu.Unlock()
	host := to.openHost()
	to.work.Go(func() {
		closeIn := func() error { m.toServer.cut(); return nil }
		_ = host.ServeFrom(context.Background(), consent.Client{Token: m.name}, m.toServer, m.fromServer, closeIn) // a cut connection is an error
		m.toServer.cut()
		_ = m.fromServer.Close() // never fails
	})
	go m.read()
	m.call("initialize", object{
		"channel": ahp.Root, "protocolVersions": []string{"1.0.0"}, "clientId": m.name, "initialSubscriptions": []string{ahp.Root},
	})
	return m
}

func (m *mirror) write(o object) {
	o["jsonrpc"] = "2.0"
	text := line(o)
	m.world.note(m.name, "> "+text)
	_, _ = m.toServer.Write([]byte(text)) // fails once the connection has ended
}

func (m *mirror) call(method string, params object) (id string) {
	m.lastID++
	m.write(object{"id": m.lastID, "method": method, "params": params})
	return strconv.Itoa(m.lastID)
}

// subscribe follows a session's chat.
func (m *mirror) subscribe(id string) {
	request := m.call("subscribe", object{"channel": m.channel(id)})
	m.world.mu.Lock()
	defer m.world.mu.Unlock()
	m.requested[request] = id
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
		if err := m.take(text); err != nil {
			m.world.fail("AHP clients get what they understand", err)
			break
		}
	}
	m.toServer.cut()
}

// take handles a line from the host.
func (m *mirror) take(text string) error {
	var line struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Channel string          `json:"channel"`
			Action  json.RawMessage `json:"action"`
			Reason  string          `json:"rejectionReason"`
		} `json:"params"`
		Result struct {
			Snapshot struct {
				State json.RawMessage `json:"state"`
			} `json:"snapshot"`
		} `json:"result"`
		Error json.RawMessage `json:"error"`
	}
	if err := exactjson.Unmarshal([]byte(text), &line); err != nil {
		return err
	}
	m.world.mu.Lock()
	id, subscribes := m.requested[string(line.ID)]
	m.world.mu.Unlock()
	switch {
	case line.Method == "" && subscribes && len(line.Error) == 0:
		return m.begin(id, line.Result.Snapshot.State)
	case line.Method == "action" && line.Params.Reason == "":
		return m.act(line.Params.Channel, line.Params.Action)
	}
	return nil
}

// begin takes the state of a chat.
func (m *mirror) begin(id string, state json.RawMessage) error {
	r := new(reflection)
	if err := exactjson.Unmarshal(state, &r.Chat); err != nil {
		return err
	}
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
	m.world.mu.Lock()
	m.chats[id] = r
	m.world.mu.Unlock()
	m.world.see(&event{kind: mirrored, mirror: m, session: id, fresh: r.pieces})
	return nil
}

// act applies an action to a chat.
func (m *mirror) act(channel string, raw json.RawMessage) error {
	session, isChat := ahp.SessionOfChat(channel)
	_, id, ok := ahp.ParseSession(session)
	m.world.mu.Lock()
	r := m.chats[id]
	m.world.mu.Unlock()
	if !isChat || !ok || r == nil || strings.HasPrefix(rawmsg.MemberText(raw, "type"), "session/") { // it is only confirmed there
		return nil
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
		fresh = r.text(a.Content)
	case *ahp.ResponsePart:
		if a.Part.Kind == ahp.PartMarkdown && a.Part.Content != nil {
			fresh = r.text(a.Part.Content.String())
		}
	}
	m.world.mu.Unlock()
	m.world.see(&event{kind: mirrored, mirror: m, session: id, fresh: fresh})
	return nil
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
