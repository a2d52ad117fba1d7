package acp_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
)

// scriptVariable makes the test binary an agent of the kind that it names.
const scriptVariable = "ACP_STAND_IN"

// A standin is an agent that does what the prompts say.
type standin struct {
	kind string

	mu        sync.Mutex
	out       *bufio.Writer
	asked     int
	waiting   map[string]chan message
	cancelled chan struct{} // of the running prompt
	prompts   int
	sessions  int
	hello     json.RawMessage // the params of initialize
	opened    json.RawMessage // those of session/new
	set       string          // the last request that set something
	careful   string          // what the options are set to
	loud      bool
	unpaid    json.RawMessage // the id of a request that was not answered
	answers   chan message    // all that it gets
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// standIn runs until stdin ends.
func standIn(kind string) int {
	s := &standin{kind: kind, out: bufio.NewWriter(os.Stdout), waiting: make(map[string]chan message), answers: make(chan message, 100)}
	if kind == "dies" {
		fmt.Fprintln(os.Stderr, "no kettle found")
		return 4
	}
	if kind == "noisy" {
		fmt.Println("[boot] kettle ready")
		fmt.Println(`{"half":`)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var m message
		if json.Unmarshal(line, &m) != nil || kind == "silent" {
			continue
		}
		s.take(m)
	}
}

func (s *standin) take(m message) {
	switch m.Method {
	case "":
		s.mu.Lock()
		c := s.waiting[string(m.ID)]
		s.mu.Unlock()
		s.answers <- m
		if c != nil {
			c <- m
		}
	case "initialize":
		s.hello = m.Params
		s.greet(m.ID)
	case "session/new":
		s.opened = m.Params
		s.sessions++
		if s.kind == "login" {
			s.send(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"Authentication required"}}`, m.ID)
			return
		}
		s.send(`{"jsonrpc":"2.0","id":%s,"result":{"sessionId":"tea-%d",%s}}`, m.ID, s.sessions, s.settings())
	case "session/set_mode", "session/set_model", "session/set_config_option":
		s.setting(m)
	case "session/prompt":
		s.prompts++
		s.mu.Lock()
		s.cancelled = make(chan struct{})
		s.mu.Unlock()
		go s.prompt(m)
	case "session/cancel":
		s.mu.Lock()
		close(s.cancelled)
		s.mu.Unlock()
	}
}

func (s *standin) greet(id json.RawMessage) {
	version, auth, able := "1", "[]", `{"promptCapabilities":{"embeddedContext":false}}`
	switch s.kind {
	case "newer":
		version = "2"
	case "login":
		auth = `[{"id":"setup","name":"Set up","type":"terminal","args":["setup","--check"]},{"id":"key","name":"API key","description":"Set TEA_KEY"}]`
	case "able":
		able = `{"promptCapabilities":{"image":true,"embeddedContext":true},"mcpCapabilities":{"http":true},"sessionCapabilities":{"additionalDirectories":{}}}`
	}
	s.send(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":%s,"agentCapabilities":%s,"authMethods":%s}}`, id, version, able, auth)
}

func (s *standin) send(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
	_ = s.out.Flush() // nobody reads any more: stdin has ended too
}

func (s *standin) update(format string, args ...any) {
	s.send(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"tea-%d","update":%s}}`, s.sessions, fmt.Sprintf(format, args...))
}

func (s *standin) say(text string) {
	raw, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	s.update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":%s}}`, raw)
}

// ask sends a request; the answer comes on the channel.
func (s *standin) ask(method, params string) (id string, answer <-chan message) {
	s.mu.Lock()
	s.asked++
	id = strconv.Itoa(1000000 + s.asked)
	c := make(chan message, 1)
	s.waiting[id] = c
	s.mu.Unlock()
	s.send(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
	return id, c
}

// told asks and says what the answer was.
func (s *standin) told(method, params string) {
	_, answer := s.ask(method, params)
	s.sayAnswer(<-answer)
}

func (s *standin) sayAnswer(m message) {
	if m.Error == nil {
		s.say(string(m.Result))
		return
	}
	var failure struct {
		Code int `json:"code"`
		Data struct {
			Details string `json:"details"`
		} `json:"data"`
	}
	if err := json.Unmarshal(m.Error, &failure); err != nil {
		panic(err)
	}
	s.say(fmt.Sprint(failure.Code, " ", failure.Data.Details))
}

func (s *standin) prompt(m message) {
	var p struct {
		Prompt []struct {
			Text string `json:"text"`
		} `json:"prompt"`
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		panic(err)
	}
	word, rest, _ := strings.Cut(p.Prompt[0].Text, " ")
	do, ok := prompts[word]
	if !ok {
		panic("there is no prompt " + word)
	}
	reason := do(s, rest, m)
	if reason == "" {
		return
	}
	s.send(`{"jsonrpc":"2.0","id":%s,"result":{"stopReason":%q}}`, m.ID, reason)
	if word == "late" {
		s.update(`{"sessionUpdate":"session_info_update","title":"Tea"}`)
		s.say("nobody hears this")
	}
}
