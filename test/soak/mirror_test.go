//go:build unix

package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/turnwire/turnwire/internal/exactjson"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/test/ahptest"
)

// A mirror is an AHP client behind the proxy. It watches chats and answers confirmations,
// and reconnects as the protocol says.
type mirror struct {
	run  *run
	name string
	ctx  context.Context
	stop context.CancelFunc

	mu      sync.Mutex
	changed sync.Cond
	random  *rand.Rand
	conn    *websocket.Conn
	known   bool // the host has answered initialize
	lastID  int
	lastSeq int // of this client
	seen    int64
	chats   map[string]*ahp.Chat // by channel; nil until the host sends its state
	asked   map[string]bool      // calls that this client considered answering
}

func newMirror(r *run, name string, seed uint64) *mirror {
	m := &mirror{run: r, name: name, random: rand.New(rand.NewPCG(seed, 2)), chats: make(map[string]*ahp.Chat), asked: make(map[string]bool)} //nolint:gosec // it only has to be repeatable
	m.changed.L = &m.mu
	m.ctx, m.stop = context.WithCancel(context.Background())
	r.clients.Go(m.stay)
	return m
}

func channelOf(session string) string { return ahp.ChatURI(ahp.SessionURI("turnwire", session)) }

// stay connects again and again, until the mirror leaves.
func (m *mirror) stay() {
	for m.ctx.Err() == nil {
		conn, _, err := websocket.Dial(m.ctx, "ws://"+m.run.server.proxied+"/ahp?tkn="+m.run.server.token, nil) //nolint:bodyclose // the library closes it
		if err != nil {
			continue
		}
		conn.SetReadLimit(-1)
		m.mu.Lock()
		m.conn = conn
		m.greet()
		m.mu.Unlock()
		for {
			_, text, err := conn.Read(m.ctx)
			if err != nil || !json.Valid(text) { // the library returns a message that was cut
				break
			}
			m.handle(text)
		}
		_ = conn.CloseNow()
		m.run.reloads.Add(1)
	}
}

// greet begins or resumes, and subscribes to the chats of which it has no state yet. The
// caller holds the lock.
func (m *mirror) greet() {
	known := []string{}
	for channel, chat := range m.chats {
		if chat != nil {
			known = append(known, channel)
		}
	}
	if m.known {
		m.call("reconnect", map[string]any{"channel": ahp.Root, "clientId": m.name, "lastSeenServerSeq": m.seen, "subscriptions": known})
	} else {
		m.call("initialize", map[string]any{"channel": ahp.Root, "protocolVersions": []string{"1.0.0"}, "clientId": m.name, "initialSubscriptions": []string{}})
	}
	for channel, chat := range m.chats {
		if chat == nil {
			m.call("subscribe", map[string]any{"channel": channel})
		}
	}
}

// call sends a request. The caller holds the lock.
func (m *mirror) call(method string, params map[string]any) {
	m.lastID++
	m.send(map[string]any{"id": m.lastID, "method": method, "params": params})
}

// send sends a message without waiting for the network, unless no connection exists. The
// caller holds the lock.
func (m *mirror) send(message map[string]any) {
	message["jsonrpc"] = "2.0"
	text, err := json.Marshal(message)
	if err != nil {
		panic(err) // it is our own
	}
	if m.conn != nil {
		_ = m.conn.Write(m.ctx, websocket.MessageText, text) // the reader notices a lost connection
	}
}

// subscribe follows a session.
func (m *mirror) subscribe(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.chats[channelOf(session)] = nil
	m.call("subscribe", map[string]any{"channel": channelOf(session)})
}

// unsubscribe ends that.
func (m *mirror) unsubscribe(session string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.chats, channelOf(session))
	m.send(map[string]any{"method": "unsubscribe", "params": map[string]any{"channel": channelOf(session)}})
}

type snapshot struct {
	Resource string          `json:"resource"`
	FromSeq  int64           `json:"fromSeq"`
	State    json.RawMessage `json:"state"`
}

type action struct {
	Channel string          `json:"channel"`
	Seq     int64           `json:"serverSeq"`
	Action  json.RawMessage `json:"action"`
	Reason  string          `json:"rejectionReason"`
}

func (m *mirror) handle(text []byte) {
	var l struct {
		Method string `json:"method"`
		Params action `json:"params"`
		Result struct {
			Version   string     `json:"protocolVersion"`
			Snapshot  *snapshot  `json:"snapshot"`
			Snapshots []snapshot `json:"snapshots"`
			Actions   []action   `json:"actions"`
			Missing   []string   `json:"missing"`
		} `json:"result"`
		Error json.RawMessage `json:"error"`
	}
	err := exactjson.Unmarshal(text, &l)
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.changed.Broadcast()
	if l.Error != nil {
		err = errors.Join(err, fmt.Errorf("a request failed: %s", l.Error))
	}
	m.known = m.known || l.Result.Version != ""
	if l.Result.Snapshot != nil {
		l.Result.Snapshots = append(l.Result.Snapshots, *l.Result.Snapshot)
	}
	for _, s := range l.Result.Snapshots {
		err = errors.Join(err, m.begin(s))
	}
	for _, a := range l.Result.Actions {
		err = errors.Join(err, m.act(a))
	}
	for _, channel := range l.Result.Missing {
		err = errors.Join(err, fmt.Errorf("%s is missing", channel))
	}
	if l.Method == "action" {
		err = errors.Join(err, m.act(l.Params))
	}
	if err != nil {
		m.run.violate("%s: %v in %.300s", m.name, err, text)
	}
}

// begin takes the state of a chat.
func (m *mirror) begin(s snapshot) error {
	m.seen = max(m.seen, s.FromSeq)
	if _, wanted := m.chats[s.Resource]; !wanted {
		return nil
	}
	chat := new(ahp.Chat)
	if err := exactjson.Unmarshal(s.State, chat); err != nil {
		return err
	}
	m.chats[s.Resource] = chat
	m.confirm(s.Resource, chat)
	return nil
}

// act applies an action to its chat.
func (m *mirror) act(a action) error {
	m.seen = max(m.seen, a.Seq)
	chat := m.chats[a.Channel]
	if chat == nil || a.Reason != "" {
		return nil
	}
	m.run.updates.Add(1)
	decoded, err := ahptest.Decode(a.Action)
	if err != nil {
		return err
	}
	chat.Apply(decoded, time.Now().Format(time.RFC3339))
	m.confirm(a.Channel, chat)
	return nil
}

// confirm answers some of the requests for confirmation.
func (m *mirror) confirm(channel string, chat *ahp.Chat) {
	turn := chat.ActiveTurn
	if turn == nil {
		return
	}
	for i := range turn.ResponseParts {
		c := turn.ResponseParts[i].ToolCall
		if c == nil || c.Status != ahp.CallPending || len(c.Options) == 0 || m.asked[c.ToolCallID] {
			continue
		}
		m.asked[c.ToolCallID] = true
		chance := m.random.IntN(3)
		if chance == 2 {
			continue
		}
		choice := [...]string{"allow_once", "reject_once"}[chance]
		m.run.choose(c.ToolCallID, choice)
		m.lastSeq++
		m.send(map[string]any{"method": "dispatchAction", "params": map[string]any{
			"channel": channel, "clientSeq": m.lastSeq,
			"action": map[string]any{"type": "chat/toolCallConfirmed", "turnId": turn.ID, "toolCallId": c.ToolCallID, "approved": chance == 0},
		}})
	}
}

// transcript returns what is shown of a session, like [view.transcript].
func (m *mirror) transcript(session string) string {
	chat, v := m.chats[channelOf(session)], newView()
	if chat == nil || chat.ActiveTurn != nil {
		return "a running turn, or nothing: " + strconv.FormatBool(chat == nil)
	}
	for _, t := range chat.Turns {
		if t.Message.Text != "" {
			v.prompts[t.Message.Text]++
		}
		for i := range t.ResponseParts {
			if p := &t.ResponseParts[i]; p.Kind == ahp.PartMarkdown && p.Content != nil {
				v.text.WriteString(p.Content.String())
			}
		}
	}
	return v.transcript(false)
}

// until waits until a condition on the mirror holds, or too long.
func (m *mirror) until(is func() bool) bool { return waitFor(&m.changed, is) }
