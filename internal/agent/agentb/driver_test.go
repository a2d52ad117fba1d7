package agentb_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentb"
)

const done = `{"type":"done","text":"Three."}`

func TestATurnIsAPostAndItsStream(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", stream(
		line("agent.run.created", `{"status":"in_progress"}`),
		delta(1, "Three"), delta(2, "."),
		line("thread.run.step.tool_call.created", `{"toolCall":`+call("c1")+`}`),
		line("agent.tool.execution.completed", `{"toolCallId":"c1","toolName":"getPrice","result":{"success":true,"data":3}}`),
		completed("Three."),
	))
	s := h.open(t, agentb.Config{})
	s.prompt("t1")
	require.Equal(t, []string{
		`{"type":"run_start","traceId":"run-1"}`,
		`{"type":"text_delta","text":"Three","messageId":"m-1"}`,
		`{"type":"text_delta","text":".","messageId":"m-1"}`,
		`{"type":"tool_start","toolCallId":"c1","toolName":"getPrice","args":{"item":"herring"}}`,
		`{"type":"tool_end","toolCallId":"c1","toolName":"getPrice","ok":true,"result":"3"}`,
		done,
	}, s.UntilEnd())
	require.JSONEq(t, `{"prompt":"how much?"}`, h.nextBody())
}

func TestAConversationContinuesInTheServersThread(t *testing.T) {
	h := newHost(t)
	broken := line("thread.run.failed", `{"error":{"message":"away"}}`)
	h.on("/agent/stream",
		stream(inThread("one", completed("a"))),
		stream(inThread("another", completed("b"))), // it has lost the first thread
		stream(inThread("unknown", broken)),         // the handler has no thread to name
		stream(inThread("another", completed("c"))),
	)
	s := h.open(t, agentb.Config{})
	for i, want := range []string{
		`{"prompt":"how much?"}`,
		`{"prompt":"how much?","threadId":"one"}`,
		`{"prompt":"how much?","threadId":"another"}`,
		`{"prompt":"how much?","threadId":"another"}`,
	} {
		turn := string(rune('a' + i))
		s.prompt(turn)
		s.UntilEnd()
		require.JSONEq(t, want, h.nextBody())
	}
}

func TestAConversationGoesOnInAnotherSession(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream",
		stream(inThread("one", delta(1, "a")), inThread("one", completed("a"))),
		stream(inThread("one", delta(1, "b")), inThread("one", completed("b"))),
		stream(inThread("two", delta(1, "c")), inThread("two", completed("c"))), // it has lost the first thread
	)
	s := openWith(t, at(h.URL), agent.Options{Recall: func() agent.Memory { return agent.Memory{Prompted: true, State: agent.Raw(`"zero"`)} }})
	s.prompt("t1")
	var states []string
	for last := ""; last != "done"; {
		b := <-s.Events()
		for e := range b.Events() {
			last = e.Type()
			if state, is := e.(*agent.State); is {
				states = append(states, string(state.State))
			}
		}
		b.Release()
	}
	require.Equal(t, []string{`"one"`}, states)
	require.JSONEq(t, `{"prompt":"how much?","threadId":"zero"}`, h.nextBody())

	next := openWith(t, at(h.URL), agent.Options{Recall: func() agent.Memory { return agent.Memory{Prompted: true, State: agent.Raw(states[0])} }})
	next.prompt("t1")
	require.NotContains(t, strings.Join(next.UntilEnd(), ""), "any more")
	require.JSONEq(t, `{"prompt":"how much?","threadId":"one"}`, h.nextBody())
	next.prompt("t2")
	require.Contains(t, strings.Join(next.UntilEnd(), ""), "no longer knows this conversation")
}

func TestEveryFormOfEventStreamIsRead(t *testing.T) {
	text := delta(1, "crowns ⅓ 🐟")
	pretty := strings.ReplaceAll(text, `,"data"`, ",\ndata: \"data\"")
	for name, pieces := range map[string][]string{
		"heart-beats":      {": hello\n\n", "data: " + text + "\n\n", ":\n\n:\n\n"},
		"other fields":     {"event: message\nid: 7\nretry: 10\ndata: " + text + "\n\n"},
		"several lines":    {"data: " + pretty + "\n\n"},
		"carriage returns": {"data: " + text + "\r\n\r\n"},
		"no space":         {"data:" + text + "\n\n"},
		"what is no event": {"data: [boot]\n\ndata: {}\n\n", "data: " + text + "\n\n", "data: [DONE]\n\n"},
		"byte by byte":     strings.Split("data: "+text+"\n\n", ""),
		"split characters": {"data: " + text[:len(text)-12], text[len(text)-12 : len(text)-7], text[len(text)-7:] + "\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.on("/agent/stream", func(w http.ResponseWriter, _ *http.Request) {
				for _, p := range append(pieces, "data: "+completed("x")+"\n\n") {
					raw(w, p)
				}
			})
			s := h.open(t, agentb.Config{})
			s.prompt("t1")
			require.Equal(t, []string{`{"type":"text_delta","text":"crowns ⅓ 🐟","messageId":"m-1"}`, `{"type":"done","text":"x"}`}, s.UntilEnd())
		})
	}
}

func TestARunThatFailsTwiceEndsTheTurnOnce(t *testing.T) {
	h := newHost(t)
	failed := line("thread.run.failed", `{"error":{"code":"LLMError","message":"socket closed"}}`)
	h.on("/agent/stream", stream(failed, failed), stream(completed("Three.")))
	s := h.open(t, agentb.Config{})
	s.prompt("t1")
	require.Equal(t, []string{`{"type":"error","error":"socket closed","code":"LLMError"}`}, s.UntilEnd())
	s.prompt("t2")
	require.Equal(t, []string{done}, s.UntilEnd())
}

func TestABrokenStreamIsAnErrorAndTheNextPromptWorks(t *testing.T) {
	begun := "data: " + delta(1, "Th") + "\n\n"
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   string
		says   string
	}{
		"at its end":           {func(w http.ResponseWriter, _ *http.Request) { raw(w, begun) }, "agent_cut_off", "ended before the run did"},
		"with nothing said":    {func(w http.ResponseWriter, _ *http.Request) { raw(w, "data: "+line("agent.run.created", `{}`)+"\n\n") }, "agent_cut_off", "ended before the run did"},
		"behind its status":    {stream(line("agent.run.status.changed", `{"currentStatus":"failed","details":"out of coffee"}`)), "agent_cut_off", "out of coffee"},
		"behind no real pause": {stream(required(call("c1"))[0]), "agent_cut_off", "ended before the run did"},
		"in the middle": {func(w http.ResponseWriter, _ *http.Request) {
			raw(w, begun)
			panic(http.ErrAbortHandler)
		}, "agent_unreachable", "was interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			h.on("/agent/stream", c.answer, stream(completed("Three.")))
			s := h.open(t, at(strings.Replace(h.URL, "://", "://me:s3cret@", 1)+"?key=s3cret"))
			s.prompt("t1")
			text, code := s.failure()
			require.Equal(t, c.code, code)
			require.Contains(t, text, c.says)
			require.Contains(t, text, h.URL+"/agent/stream")
			require.NotContains(t, text, "s3cret")
			h.nextBody()
			s.prompt("t2")
			require.Equal(t, []string{done}, s.UntilEnd())
			require.JSONEq(t, `{"prompt":"how much?","threadId":"thread-1"}`, h.nextBody(), "the same thread")
		})
	}
}

func TestARefusalIsAnErrorThatNamesTheURL(t *testing.T) {
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		code   string
		says   string
	}{
		"empty prompt":  {refuse(400, `{"error":"User prompt is missing or empty."}`), "http_400", "User prompt is missing or empty"},
		"no token":      {refuse(401, `{"error":"who are you"}`), "unauthorized", "who are you"},
		"not allowed":   {refuse(403, `{"error":"Forbidden"}`), "http_403", "Forbidden"},
		"no such route": {http.NotFound, "http_404", "404"},
		"failure":       {refuse(500, `{"error":"Request processing failed.","details":"the database is away"}`), "http_500", "Request processing failed: the database is away"},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>welcome</html>"))
		}, "agent_unexpected_answer", "a web page"},
		"no stream": {refuse(200, `{"answer":"Three."}`), "agent_unexpected_answer", "JSON"},
		"no server": {nil, "agent_unreachable", "refused"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			url := closed.URL
			if c.answer != nil {
				url = h.URL
				h.on("/agent/stream", c.answer, stream(completed("Three.")))
			}
			s := h.open(t, at(url))
			s.prompt("t1")
			text, code := s.failure()
			require.Equal(t, c.code, code)
			require.Contains(t, text, c.says)
			require.Contains(t, text, url+"/agent/stream")
			s.prompt("t2")
			if c.answer != nil {
				require.Equal(t, []string{done}, s.UntilEnd())
			} else {
				s.failure()
			}
		})
	}
}

func TestTheRouteIsConfigurable(t *testing.T) {
	h := newHost(t)
	h.on("/chat/v2", stream(completed("Three.")))
	s := h.open(t, agentb.Config{Path: "chat/v2?beta=1"})
	s.prompt("t1")
	require.Equal(t, []string{done}, s.UntilEnd())
}

func TestAnInvalidURLIsRefusedAtOnce(t *testing.T) {
	for _, url := range []string{"", "localhost:3000", "ftp://host/", "http://"} {
		_, err := agentb.New(at(url)).Open(t.Context(), agent.Options{})
		require.Error(t, err, url)
	}
}

func TestTheAgentSaysWhatItIs(t *testing.T) {
	require.Equal(t, agent.Info{Name: "agentb", Title: "AgentB", Resume: true}, agentb.New(at("http://localhost")).Info())
}

// hangs starts a run, and blocks until the client has closed the stream.
func hangs(closed chan<- struct{}, lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		raw(w, "data: "+strings.Join(lines, "\n\ndata: ")+"\n\n")
		<-r.Context().Done()
		close(closed)
	}
}

func TestACancelClosesTheStreamAndEndsTheTurnAtOnce(t *testing.T) {
	h := newHost(t)
	closed := make(chan struct{})
	h.on("/agent/stream", hangs(closed, delta(1, "Th")), stream(completed("Three.")))
	var log bytes.Buffer
	s := open(t, at(h.URL), slog.New(slog.NewTextHandler(&log, nil)))
	s.prompt("t1")
	s.until("text_delta")
	h.nextBody()
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, s.UntilEnd())
	<-closed
	s.prompt("t2")
	require.Equal(t, []string{done}, s.UntilEnd())
	require.JSONEq(t, `{"prompt":"how much?","threadId":"thread-1"}`, h.nextBody())
	require.NoError(t, s.Close(t.Context()))
	require.Contains(t, log.String(), "may continue on the server")
}

func TestACancelIsSentIfTheServerHasARoute(t *testing.T) {
	for name, c := range map[string]struct{ answer http.HandlerFunc }{
		"and it takes it":    {refuse(204, "")},
		"and it refuses it":  {refuse(500, `{"error":"no"}`)},
		"and it never says":  {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		"that is not there":  {http.NotFound},
		"and answers a page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			closed := make(chan struct{})
			h.on("/agent/stream", hangs(closed, delta(1, "Th")))
			h.on("/cancel", c.answer)
			s := h.open(t, agentb.Config{CancelPath: "/cancel"})
			s.prompt("t1")
			s.until("text_delta")
			h.nextBody()
			s.Cancel(agent.Cancel{TurnID: "t1"})
			// The user sees a refusal only if it arrives before the end.
			got := s.UntilEnd()
			require.Equal(t, `{"type":"done","text":"","stopReason":"cancelled"}`, got[len(got)-1])
			require.JSONEq(t, `{"runId":"run-1","threadId":"thread-1"}`, h.nextBody())
			<-closed
		})
	}
}

func TestACancelBeforeTheServerAnswersEndsTheTurn(t *testing.T) {
	h := newHost(t)
	h.on("/agent/stream", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := h.open(t, agentb.Config{CancelPath: "/cancel"})
	s.prompt("t1")
	h.nextBody()
	s.Cancel(agent.Cancel{TurnID: "t1"})
	require.Equal(t, []string{`{"type":"done","text":"","stopReason":"cancelled"}`}, s.UntilEnd())
}

func TestSilentServersTimeOut(t *testing.T) {
	h := newHost(t)
	closed := make(chan struct{})
	h.on("/agent/stream", hangs(closed, delta(1, "Th")))
	c := at(h.URL)
	c.Remote.IdleTimeout = 50 * time.Millisecond
	s := h.open(t, c)
	s.prompt("t1")
	text, code := s.failure()
	require.Equal(t, "agent_idle", code)
	require.Contains(t, text, h.URL)
	// The server's Close waits for the request, if it arrived at all.
}

func TestCloseEndsATurnThatRuns(t *testing.T) {
	h := newHost(t)
	closed := make(chan struct{})
	h.on("/agent/stream", hangs(closed, delta(1, "Th")))
	s := h.open(t, agentb.Config{})
	s.prompt("t1")
	s.until("text_delta")
	require.NoError(t, s.Close(t.Context()))
	<-closed
}
