package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestInitializeReportsTheAgentsCapabilities(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.info = agent.Info{Name: "x", Title: "The Agent", Image: true}
		for _, version := range []string{"1", "0", "2", "65535"} {
			e := connect(t, p)
			e.request("1", "initialize", `{"protocolVersion":`+version+`}`)
			e.expect(`{"id":1,"result":{"protocolVersion":1,"authMethods":[` + noLogin + `],
			"agentInfo":{"name":"turnwire","title":"The Agent","version":"1.2.3"},
			"agentCapabilities":{
				"promptCapabilities":{"image":true,"embeddedContext":true},
				"sessionCapabilities":{"close":{},"additionalDirectories":{}},
				"_meta":{"turnwire.dev/events":true}}}}`)
		}
	})
}

// A client that supports a newer version may try that first.
func TestAClientMayInitializeAgainUntilItOpensASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.request("1", "initialize", `{"protocolVersion":2,"clientCapabilities":{}}`)
		e.expectLike(`"protocolVersion":1`)
		e.initialize(forms)
		s := e.newSession(p)
		e.request("2", "initialize", `{"protocolVersion":1}`)
		e.expectLike(`"id":2`, "-32600", "already initialized")
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		go s.say(plain)
		e.expectLike("elicitation/create") // the last one counts
		e.answer(1, `{"action":"cancel"}`)
		s.expect(`{"type":"question_response"}`)
		go s.say(done)
		e.stopped(`"p"`, "end_turn")
	})
}

func TestNothingIsServedBeforeInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := connect(t, newPuppet())
		for i, method := range []string{"session/new", "session/prompt", "session/close", "unknown"} {
			e.request(strconv.Itoa(i), method, `{}`)
			e.expectLike(fmt.Sprintf(`"id":%d`, i), "-32600", "must be initialized")
		}
		e.notify("session/cancel", `{"sessionId":"x"}`)
		e.initialize(`{}`)
	})
}

func TestAnInitializeThatFailsMayBeTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := connect(t, newPuppet())
		e.request("1", "initialize", `{}`)
		e.expectLike("-32602", "protocolVersion is missing")
		e.initialize(`{}`)
	})
}

func TestUnknownMethodsAreRefusedAndUnknownNotificationsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := open(t, newPuppet(), `{}`)
		e.notify("_x/y", `[]`)
		e.notify("$/progress", `{}`)
		e.notify("session/prompt", `{"sessionId":"S1","prompt":[]}`)
		e.request("1", "session/archive", `{"sessionId":"S1"}`)
		e.expect(`{"id":1,"error":{"code":-32601,"message":"Method not found","data":{"details":"session/archive","error":"session/archive","method":"session/archive"}}}`)
	})
}

func TestAnUnknownSessionIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, _ := open(t, newPuppet(), `{}`)
		for i, method := range []string{"session/prompt", "session/close", "session/set_config_option", "session/set_mode"} {
			e.request(strconv.Itoa(i), method, `{"sessionId":"gone","prompt":[]}`)
			e.expect(fmt.Sprintf(`{"id":%d,"error":{"code":-32002,"message":"Resource not found","data":{
			"details":"unknown session \"gone\"","error":"unknown session \"gone\"","sessionId":"gone"}}}`, i))
		}
	})
}

func TestPromptsMayOnlyContainWhatTheAgentAccepts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		for i, block := range []string{`{"type":"image","data":"AA","mimeType":"image/png"}`, `{"type":"audio","data":"AA","mimeType":"audio/wav"}`, `{"type":"video"}`} {
			e.request(strconv.Itoa(i), "session/prompt", `{"sessionId":"S1","prompt":[{"type":"text","text":"x"},`+block+`]}`)
			e.expectLike(fmt.Sprintf(`"id":%d`, i), "-32602", "prompt[1]")
		}
		e.request("9", "session/prompt", `{"sessionId":"S1","prompt":[{"type":"text","text":"look at "},`+
			`{"type":"resource_link","uri":"file:///a%20b.txt","name":"a b"},{"type":"text","text":" now"},{"type":"text","text":"next"},`+
			`{"type":"resource","resource":{"uri":"file:///c.txt","text":"C"}},{"type":"resource","resource":{"uri":"file:///d","blob":"AA"}}]}`)
		s.expect(`{"type":"prompt","text":"look at /a b.txt now\nnext\n\n[/c.txt]\nC"}`)
		s.say(done)
		e.stopped("9", "end_turn")
	})
}

func TestAnAgentThatDoesNotOpenIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		p.fails = errors.New("no licence")
		e := connect(t, p)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
		e.expectLike(`"id":1`, "-32603", `"details":"no licence"`)
	})
}

func TestASessionIsOpenedWithTheEditorsParams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.initialize(`{"fs":{"readTextFile":true}}`)
		e.request("1", "session/new", `{"cwd":"/project/./x","additionalDirectories":["/more"],"mcpServers":[{"name":"m","command":"c","args":[],"env":[]}]}`)
		e.expect(`{"id":1,"result":{"sessionId":"S1"}}`)
		s := p.session(t)
		require.Equal(t, e.ids[0], s.options.SessionID)
		require.Equal(t, "/project/x", s.options.Cwd)
		require.Equal(t, []string{"/more"}, s.options.Roots)
		require.Len(t, s.options.MCPServers, 1)
		require.True(t, s.options.Editor.CanRead())
		require.False(t, s.options.Editor.CanWrite())
	})
}

func TestCloseCancelsAndAnswersLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1("2", "two"))
		s.expect(`{"type":"prompt"}`)
		s.say(askToEdit)
		e.expectLike(`"tool_call"`)
		e.expectLike("request_permission")
		e.request("3", "session/close", `{"sessionId":"S1"}`)
		lines := strings.Join(e.until("3"), "\n") // the order of responses is guaranteed
		require.Contains(t, lines, `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}`)
		require.Contains(t, lines, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}`)
		<-s.closing
		e.write(promptS1("4", "after"))
		for {
			if text := e.read(); !strings.Contains(text, "$/cancel_request") {
				require.Contains(t, text, "-32002")
				break
			}
		}
	})
}

func TestADefectInOneSessionLeavesTheOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		other := e.newSession(p)
		e.write(promptS1("1", "go") + promptS1("2", "waits"))
		s.expect(`{"type":"prompt"}`)
		e.sync()
		s.say(`{"type":"tool_confirmation_request","toolCallId":"a","toolName":"x"}`)
		e.expectLike(`"tool_call"`)
		e.expectLike("session/request_permission")
		s.send(panics{})
		e.expectLike("$/cancel_request")
		s.expect(`{"type":"tool_confirmation_response","decision":"cancelled"}`)
		e.expectLike("-32603", "this is a bug")
		e.expectLike("-32603", "this is a bug")
		<-s.closing
		e.write(promptS1("3", "gone"))
		e.expectLike(`"id":3`, "-32002")
		e.request("4", "session/prompt", `{"sessionId":"S2","prompt":[]}`)
		other.expect(`{"type":"prompt"}`)
		other.say(`{"type":"text_delta","text":"alive"}`, done)
		e.expectLike("alive")
		e.expect(`{"id":4,"result":{"stopReason":"end_turn"}}`)
	})
}

// panics is a batch whose events panic.
type panics struct{ lineBatch }

// Events implements [agent.Batch].
func (panics) Events() iter.Seq[agent.Event] {
	return func(func(agent.Event) bool) { panic("a defect") }
}

func TestASlowEditorBlocksTheAgentAndCanCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "go"))
		s.expect(`{"type":"prompt"}`)
		piece := strings.Repeat("x", 1000)
		var pieces atomic.Int64
		var cancelled atomic.Bool
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for !cancelled.Load() && s.say(fmt.Sprintf(`{"type":"text_delta","text":"%06d %s"}`, pieces.Load(), piece)) {
				pieces.Add(1)
			}
			s.say(done)
		}()
		synctest.Wait()
		require.Greater(t, pieces.Load(), int64(6))
		e.write(cancelS1)
		s.expect(`{"type":"cancel"}`) // although the session waits for the editor
		cancelled.Store(true)
		require.Less(t, pieces.Load(), int64(300), "the agent is not held back")
		lines := e.until("1")
		require.Contains(t, lines[len(lines)-1], "cancelled")
		<-ended
		require.Len(t, lines[:len(lines)-1], int(pieces.Load()))
		for i, text := range lines[:len(lines)-1] {
			require.Contains(t, text, fmt.Sprintf(`"%06d `, i), "a piece is out of order")
		}
	})
}

func TestSessionsLeaveNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p, func(c *setup) { c.MaxSessions = 2 })
		e.initialize(`{}`)
		for i := range 200 {
			e.ids = nil
			e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
			e.expect(`{"id":1,"result":{"sessionId":"S1"}}`)
			s := p.session(t)
			e.write(promptS1("2", "go"))
			s.expect(`{"type":"prompt"}`)
			s.say(fmt.Sprintf(`{"type":"text_delta","text":"%d"}`, i), done)
			e.stopped("2", "end_turn")
			e.request("3", "session/close", `{"sessionId":"S1"}`)
			e.expect(`{"id":3,"result":{}}`)
		}
	})
}

func TestCancelRequestEndsTheOpeningOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := slowToOpen{opening: make(chan struct{})}
		e := connect(t, a)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
		<-a.opening
		e.notify("$/cancel_request", `{"requestId":1}`)
		e.expectLike(`"id":1`, "-32800")
	})
}

func TestEOFEndsTheOpeningOfASession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := slowToOpen{opening: make(chan struct{})}
		e := connect(t, a)
		e.initialize(`{}`)
		e.request("1", "session/new", `{"cwd":"/project","mcpServers":[]}`)
		<-a.opening
		require.Contains(t, strings.Join(e.close(), "\n"), "-32800")
	})
}

// slowToOpen is an agent that opens no session until it is cancelled.
type slowToOpen struct{ opening chan struct{} }

// Info implements [agent.Agent].
func (slowToOpen) Info() agent.Info { return agent.Info{} }

// Open implements [agent.Agent].
func (a slowToOpen) Open(ctx context.Context, _ agent.Options) (agent.Session, error) {
	close(a.opening)
	<-ctx.Done()
	return nil, fmt.Errorf("open: %w", ctx.Err())
}

func TestFilesAreReadAndWrittenThroughTheEditor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{"fs":{"readTextFile":true,"writeTextFile":true}}`)
		e.write(promptS1(`"p"`, "go"))
		s.expect(`{"type":"prompt"}`)
		type outcome struct {
			text string
			err  error
		}
		done := make(chan outcome)
		read := func(ctx context.Context) {
			go func() {
				text, err := s.options.Editor.ReadTextFile(ctx, "/project/a")
				done <- outcome{text, err}
			}()
		}
		read(t.Context())
		e.expect(`{"id":1,"method":"fs/read_text_file","params":{"sessionId":"S1","path":"/project/a"}}`)
		e.answer(1, `{"content":"not saved yet"}`)
		require.Equal(t, outcome{"not saved yet", nil}, <-done)

		read(t.Context())
		e.expectLike(`"id":2`)
		e.refuse(2)
		require.EqualError(t, (<-done).err, "no", "what the editor says")

		read(t.Context())
		e.expectLike(`"id":3`)
		e.write(`{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":{"details":"Permission denied for fs/read_text_file (--deny-all)"}}}` + "\n")
		require.EqualError(t, (<-done).err, "Permission denied for fs/read_text_file (--deny-all)")

		ctx, cancel := context.WithCancel(t.Context())
		read(ctx)
		e.expectLike(`"id":4`)
		cancel()
		require.ErrorIs(t, (<-done).err, context.Canceled)
		e.expect(`{"method":"$/cancel_request","params":{"requestId":4}}`)

		for i, answer := range []string{`null`, `{}`, `{"Content":"a"}`, `{"content":5}`} {
			read(t.Context())
			e.expectLike(fmt.Sprintf(`"id":%d`, i+5))
			e.answer(i+5, answer)
			require.Error(t, (<-done).err, "a file whose text is missing is not an empty file: %s", answer)
		}

		for i, answer := range []string{`null`, `{}`, `"ok"`, `[]`} {
			go func() { done <- outcome{err: s.options.Editor.WriteTextFile(t.Context(), "/project/a", "text")} }()
			e.expect(fmt.Sprintf(`{"id":%d,"method":"fs/write_text_file","params":{"sessionId":"S1","path":"/project/a","content":"text"}}`, i+9))
			e.answer(i+9, answer)
			require.NoError(t, (<-done).err)
		}
	})
}

func TestOpenSessionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p, func(c *setup) { c.MaxSessions = 2 })
		e.initialize(`{}`)
		e.newSession(p)
		e.newSession(p)
		e.request(`"no"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
		e.expectLike(`"id":"no"`, `"code":-32600`, "the limit of 2 open sessions", "--max-sessions")
		e.request(`"close"`, "session/close", `{"sessionId":"S1"}`)
		e.expectLike(`"id":"close"`, `"result"`)
		e.newSession(p)
		p.fails = errors.New("no agent")
		e.request(`"close2"`, "session/close", `{"sessionId":"S2"}`)
		e.expectLike(`"id":"close2"`)
		for range 3 { // a session that fails to open does not count against the limit
			e.request(`"fails"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
			e.expectLike(`"id":"fails"`, "no agent")
		}
	})
}
