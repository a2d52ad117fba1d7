package ahphost_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

// kinds are all actions, by type.
var kinds = func() map[string]reflect.Type {
	all := make(map[string]reflect.Type)
	for _, a := range []ahp.Action{
		&ahp.TurnStarted{}, &ahp.ResponsePart{}, &ahp.Delta{}, &ahp.Reasoning{}, &ahp.ToolCallStart{}, &ahp.ToolCallReady{},
		&ahp.ToolCallConfirmed{}, &ahp.ToolCallContentChanged{}, &ahp.ToolCallComplete{}, &ahp.TurnCompleted{}, &ahp.TurnWasCancelled{},
		&ahp.TurnFailed{}, &ahp.UsageChanged{}, &ahp.PendingMessageSet{}, &ahp.PendingMessageRemoved{}, &ahp.QueuedMessagesReordered{},
		&ahp.DraftChanged{}, &ahp.InputRequested{}, &ahp.InputAnswerChanged{}, &ahp.InputCompleted{}, &ahp.AgentsChanged{},
		&ahp.TitleChanged{}, &ahp.SessionIsReadChanged{}, &ahp.SessionIsArchivedChanged{}, &ahp.ChatUpdated{}, &ahp.ConfigChanged{},
		&ahp.InputNeededSet{}, &ahp.InputNeededRemoved{}, &ahp.ActiveClientSet{}, &ahp.ActiveClientRemoved{},
	} {
		all[a.ActionType()] = reflect.TypeOf(a).Elem()
	}
	return all
}()

// A mirror is the state that a client derives from what it receives.
type mirror struct {
	*party
	t       *testing.T
	id      string
	seen    int64
	chat    *ahp.Chat
	session *ahp.Session
	seq     int64 // its own
}

// read applies the messages that the client received.
func (m *mirror) read() {
	for _, line := range m.drain() {
		var got struct {
			Method string
			Params json.RawMessage
			Result struct {
				Type      string
				Snapshot  *snapshot
				Snapshots []snapshot
				Actions   []json.RawMessage
			}
			Error *struct{ Message string }
		}
		require.NoError(m.t, json.Unmarshal([]byte(line), &got), line)
		require.Nil(m.t, got.Error, line)
		if got.Result.Snapshot != nil {
			m.show(*got.Result.Snapshot)
		}
		for _, s := range got.Result.Snapshots {
			m.show(s)
		}
		for _, a := range got.Result.Actions {
			m.apply(a)
		}
		if got.Method == "action" {
			m.apply(got.Params)
		}
	}
}

type snapshot struct {
	Resource string
	State    json.RawMessage
	FromSeq  int64
}

func (m *mirror) show(s snapshot) {
	m.seen = max(m.seen, s.FromSeq)
	switch s.Resource {
	case chat:
		m.chat = new(ahp.Chat)
		require.NoError(m.t, json.Unmarshal(s.State, m.chat))
	case session:
		m.session = new(ahp.Session)
		require.NoError(m.t, json.Unmarshal(s.State, m.session))
	}
}

func (m *mirror) apply(params []byte) {
	var e struct {
		Channel         string
		Action          json.RawMessage
		ServerSeq       int64
		RejectionReason string
	}
	require.NoError(m.t, json.Unmarshal(params, &e))
	require.Greater(m.t, e.ServerSeq, m.seen, "actions come in order")
	m.seen = e.ServerSeq
	if e.RejectionReason != "" {
		return
	}
	var tag struct{ Type string }
	require.NoError(m.t, json.Unmarshal(e.Action, &tag))
	kind := kinds[tag.Type]
	require.NotNil(m.t, kind, tag.Type)
	a := reflect.New(kind).Interface().(ahp.Action)
	require.NoError(m.t, json.Unmarshal(e.Action, a), string(e.Action))
	switch e.Channel {
	case chat:
		m.chat.Apply(a, "")
	case session:
		m.session.Apply(a)
	}
}

// state returns the state that the client shows. Modification times are not compared,
// because each client has its own clock.
func (m *mirror) state() string {
	raw, err := json.MarshalIndent(map[string]any{"chat": m.chat, "session": m.session}, "", " ")
	require.NoError(m.t, err)
	var lines []string
	for line := range strings.Lines(string(raw)) {
		if !strings.Contains(line, `"modifiedAt"`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func (m *mirror) dispatch(channel, action string) {
	m.seq++
	m.say(m.t, fmt.Sprintf(`{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":%q,"clientSeq":%d,"action":%s}}`, channel, m.seq, action))
}

// Whatever clients, an editor and the agent do, and whenever clients come and go: a
// client's state, derived from a snapshot and later actions, equals the state that a
// new client is shown.
func TestEveryClientShowsTheSame(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			home := t.TempDir()
			synctest.Test(t, func(t *testing.T) { perform(t, home, rand.New(rand.NewPCG(seed, 1))) })
		})
	}
}

// A troupe consists of all participants.
type troupe struct {
	*world
	r       *rand.Rand
	mirrors []*mirror
	zed     *party
	open    map[string]string // requests to the agent: methods by id
	asks    map[string]string // requests to the editor
	turns   int
	asked   int
}

func perform(t *testing.T, home string, r *rand.Rand) {
	p := &troupe{world: newWorld(t, home), r: r, open: make(map[string]string), asks: make(map[string]string)}
	defer p.close()
	p.options = `[{"id":"mode","name":"Mode","type":"select","currentValue":"ask","options":[{"value":"ask","name":"Ask"},{"value":"code","name":"Code"}]}]`
	p.come()
	p.mirrors[0].say(t, `{"jsonrpc":"2.0","id":"new","method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
	p.subscribe(p.mirrors[0])
	for range 300 {
		p.act()
		if p.r.IntN(3) == 0 { // several things happen at once
			continue
		}
		p.hear()
	}
	time.Sleep(time.Second) // until tools' output is sent
	p.hear()
	p.come()
	fresh := p.mirrors[len(p.mirrors)-1]
	p.subscribe(fresh)
	p.hear()
	for _, m := range p.mirrors {
		require.Equal(t, fresh.state(), m.state(), m.id)
	}
	require.NotEmpty(t, fresh.chat.Turns)
}

// come connects a client.
func (p *troupe) come() {
	m := &mirror{t: p.t, id: fmt.Sprintf("c%d", len(p.mirrors))}
	m.party = p.connect(m.id)
	m.say(p.t, fmt.Sprintf(hello, m.id))
	p.mirrors = append(p.mirrors, m)
}

func (p *troupe) subscribe(m *mirror) {
	for _, channel := range []string{session, chat} {
		m.say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":"subscribe","params":{"channel":%q}}`, channel, channel))
	}
	p.hear()
	require.NotNil(p.t, m.chat)
}

// hear makes all participants read their messages.
func (p *troupe) hear() {
	for _, line := range p.settle() {
		var m heard
		require.NoError(p.t, json.Unmarshal([]byte(line), &m))
		if m.Method == "session/prompt" {
			p.open[string(m.ID)] = m.Method
		}
	}
	for _, m := range p.mirrors {
		m.read()
	}
	if p.zed == nil {
		return
	}
	for _, line := range p.zed.drain() {
		var m heard
		require.NoError(p.t, json.Unmarshal([]byte(line), &m))
		if m.ID != nil && m.Method != "" {
			p.asks[string(m.ID)] = m.Method
		}
	}
}

// one returns a random key.
func (p *troupe) one(of map[string]string) string {
	keys := slices.Sorted(maps.Keys(of))
	if len(keys) == 0 {
		return ""
	}
	return keys[p.r.IntN(len(keys))]
}

// act makes a random participant do something, which may be invalid.
func (p *troupe) act() {
	m := p.mirrors[p.r.IntN(len(p.mirrors))]
	n := p.r.IntN(1000)
	switch p.r.IntN(18) {
	case 0, 1:
		p.turns++
		m.dispatch(chat, fmt.Sprintf(`{"type":"chat/turnStarted","turnId":"t%d","startedAt":"","message":{"text":"turn %d","origin":{"kind":"user"}}}`, p.turns, n))
	case 2:
		if t := m.chat.ActiveTurn; t != nil {
			m.dispatch(chat, fmt.Sprintf(`{"type":"chat/turnCancelled","turnId":%q,"duration":1}`, t.ID))
		}
	case 3:
		m.dispatch(chat, fmt.Sprintf(`{"type":"chat/pendingMessageSet","kind":%q,"id":"q%d","message":{"text":"queued %d","origin":{"kind":"user"}}}`, []string{"queued", "steering"}[n%2], n%5, n))
	case 4:
		m.dispatch(chat, fmt.Sprintf(`{"type":"chat/pendingMessageRemoved","kind":"queued","id":"q%d"}`, n%5))
	case 5:
		m.dispatch(session, fmt.Sprintf(`{"type":"session/configChanged","config":{"mode":%q}}`, []string{"ask", "code", "none"}[n%3]))
	case 6:
		m.dispatch([]string{session, chat}[n%2], fmt.Sprintf(`{"type":"session/titleChanged","title":"title %d"}`, n))
	case 7:
		m.dispatch(chat, fmt.Sprintf(`{"type":"chat/draftChanged","draft":{"text":"draft %d","origin":{"kind":"user"}}}`, n))
	case 8:
		if t := m.chat.ActiveTurn; t != nil {
			m.dispatch(chat, fmt.Sprintf(`{"type":"chat/toolCallConfirmed","turnId":%q,"toolCallId":"c%d","approved":%t}`, t.ID, n%4, n%2 == 0))
		}
	case 9:
		p.answerQuestion(m, n)
	case 10:
		if len(p.mirrors) < 5 {
			p.come()
			p.subscribe(p.mirrors[len(p.mirrors)-1])
			return
		}
		p.comeBack(m)
	case 11:
		p.edit(n)
	default:
		p.speak(n)
	}
}

func (p *troupe) answerQuestion(m *mirror, n int) {
	for _, needed := range m.session.InputNeeded {
		if needed.Kind != ahp.NeedsAnswer {
			continue
		}
		m.dispatch(chat, fmt.Sprintf(`{"type":"chat/inputAnswerChanged","requestId":%q,"questionId":"x","answer":{"state":"draft","value":{"kind":"text","value":"%d"}}}`, needed.ID, n))
		if n%2 == 0 {
			m.dispatch(chat, fmt.Sprintf(`{"type":"chat/inputCompleted","requestId":%q,"response":%q}`, needed.ID, []string{"accept", "decline"}[n%4/2]))
		}
	}
}

// comeBack disconnects a client, which then reconnects and asks for what it has missed.
func (p *troupe) comeBack(m *mirror) {
	require.NoError(p.t, m.out.Close())
	p.hear()
	p.speak(p.r.IntN(1000))
	p.hear()
	m.party = p.connect(m.id)
	m.say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"back","method":"reconnect","params":{"clientId":%q,"lastSeenServerSeq":%d,"subscriptions":[%q,%q]}}`, m.id, m.seen, session, chat))
	p.hear()
}

// edit makes an editor do something.
func (p *troupe) edit(n int) {
	if p.opened == 0 {
		return
	}
	if p.zed == nil {
		p.zed = p.editor()
		p.zed.say(p.t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"Zed","version":"1"},"clientCapabilities":{"elicitation":{"form":{}}}}}`)
		p.zed.say(p.t, `{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"sessionId":"s1","cwd":"/w"}}`)
		p.hear()
		return
	}
	if id := p.one(p.asks); id != "" {
		answer := `{"action":"accept","content":{"x":"zed"}}`
		if p.asks[id] == "session/request_permission" {
			answer = `{"outcome":{"outcome":"selected","optionId":"y"}}`
		}
		delete(p.asks, id)
		p.zed.say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, answer))
		return
	}
	p.turns++
	p.zed.say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%d","method":"session/prompt","params":{"sessionId":"s1","prompt":[{"type":"text","text":"zed %d"},{"type":"text","text":"more"}]}}`, p.turns, n))
}

// speak makes the agent send something.
func (p *troupe) speak(n int) {
	if p.opened == 0 {
		return
	}
	update := ""
	switch n % 9 {
	case 0:
		update = fmt.Sprintf(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"said %d "}}`, n)
	case 1:
		update = fmt.Sprintf(`{"sessionUpdate":"agent_thought_chunk","content":{"type":"text","text":"thought %d "}}`, n)
	case 2:
		update = fmt.Sprintf(`{"sessionUpdate":"tool_call","toolCallId":"c%d","title":"Call","kind":"edit","status":"pending"}`, n%4)
	case 3:
		update = fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"c%d","status":"in_progress","content":[{"type":"content","content":{"type":"text","text":"printed %d"}}]}`, n%4, n)
	case 4:
		update = fmt.Sprintf(`{"sessionUpdate":"tool_call_update","toolCallId":"c%d","status":%q}`, n%4, []string{"completed", "failed"}[n/9%2])
	case 5:
		update = `{"sessionUpdate":"plan","entries":[{"content":"do","priority":"high","status":"pending"}]}`
	case 6:
		p.asked++
		p.agent.Load().say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"a%d","method":"session/request_permission","params":{"sessionId":"s1","toolCall":{"toolCallId":"c%d"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`, p.asked, n%4))
		return
	case 7:
		p.asked++
		p.agent.Load().say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":"a%d","method":"elicitation/create","params":{"sessionId":"s1","mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"x":{"type":"string"}},"required":["x"]}}}`, p.asked))
		return
	case 8:
		if id := p.one(p.open); id != "" {
			delete(p.open, id)
			p.agent.Load().say(p.t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, id, []string{"end_turn", "cancelled", "max_tokens"}[n/9%3]))
		}
		return
	}
	p.agent.Load().say(p.t, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":`+update+`}}`)
}
