package agui_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/memnet"
)

func TestAFailureSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		answer     http.HandlerFunc
		code, says string
	}{
		"no token":       {refuse(http.StatusUnauthorized, "application/json", `{"detail":"no token"}`), "unauthorized", "401 Unauthorized: no token. Check the token"},
		"no such path":   {refuse(http.StatusNotFound, "application/json", `{"detail":"Not Found"}`), "http_404", "try /, /agent, /agui"},
		"another method": {refuse(http.StatusMethodNotAllowed, "text/plain", ""), "http_405", "try /, /agent, /agui"},
		"invalid input":  {refuse(http.StatusUnprocessableEntity, "application/json", `{"detail":[{"loc":["body","state"],"msg":"Field required"}]}`), "http_422", "body.state: Field required"},
		"a page":         {refuse(http.StatusOK, "text/html", "<html>"), "agent_unexpected_answer", "a web page instead of an event stream. Check the URL"},
		"no events":      {func(w http.ResponseWriter, _ *http.Request) { send(w) }, "agent_cut_off", "ended before the run did (it sent nothing). See the server's log"},
		"other events":   {func(w http.ResponseWriter, _ *http.Request) { send(w, `{"object":"chat.completion.chunk"}`, "[DONE]") }, "agent_unexpected_answer", "returned other events instead of those of AG-UI. Check the URL"},
		"in a call":      {run(`{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"x"}`, `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{"}`), "agent_cut_off", "ended before the run did"},
		"an abort": {func(w http.ResponseWriter, r *http.Request) {
			run(textEvents("m", "a"))(w, r)
			panic(http.ErrAbortHandler)
		}, "agent_unreachable", "was interrupted"},
		"a failed run":    {run(`{"type":"RUN_ERROR","message":"The model is away","code":"away"}`), "away", "The model is away"},
		"without reason":  {run(`{"type":"RUN_ERROR"}`), "", "The run failed without a reason. See the log of the agent's server"},
		"an unknown kind": {run(`{"type":"SHINY","x":1}`, textEvents("m", "a"), finished), "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, c.answer)
			if c.code == "http_422" {
				h.runs <- c.answer // also without a version
			}
			s := h.open(agent.Options{})
			text, code := s.failure()
			require.Equal(t, c.code, code)
			require.Contains(t, text, c.says)
			require.Equal(t, c.says == "", text == "")
			require.NotContains(t, text, "\n")
			h.runs <- run(finished)
			s.answered("and now?") // a failure ends no session
		})
	}
}

func TestAMissingServerIsAnError(t *testing.T) {
	h := newHost(t)
	h.Close()
	text, code := h.open(agent.Options{}).failure()
	require.Equal(t, "agent_unreachable", code)
	require.Contains(t, text, "Check the URL, and that the server is running")
}

func TestASilentServerIsAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := memnet.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			send(w)
			<-r.Context().Done()
		}))
		c := agui.Config{Remote: httpsse.Config{BaseURL: "http://server", Transport: silent.Transport()}}
		s := agenttest.Open(t, agui.New(c), agent.Options{SessionID: "s"}, agenttest.JSON)
		s.Send(agent.Prompt{SessionID: "s", TurnID: "t", Text: "go"})
		lines := s.UntilEnd()
		require.Contains(t, lines[len(lines)-1], "sent nothing for 30s. See the server's log, or set a longer start timeout")
		s.End()
	})
}

// Whatever a server sends, the turn must end.
func FuzzTurns(f *testing.F) {
	events := func(lines ...string) string { return "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n" }
	f.Add(events(started, textEvents("m", "a"), finished))
	f.Add(events(started, called("c1"), interrupted(approval("i", "c1"), approval("i", "c1"))))
	f.Add(events(started, interrupted(`{"id":"i","expiresAt":"2020-01-01T00:00:00Z"}`)))
	f.Add(events(started, `{"type":"CUSTOM","name":"on_interrupt","value":{"action_requests":[{},{"name":7}]}}`, finished))
	f.Add(events(`{"type":"RUN_ERROR"}`, started, finished, finished))
	f.Add(events(started, `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a/-1","value":1}]}`, `{"type":"MESSAGES_SNAPSHOT","messages":[null,{"id":"x"}]}`))
	server := agenttest.NewServer(f)
	f.Fuzz(func(t *testing.T, stream string) {
		server.Say(stream, "")
		agenttest.RequireTurn(t, agui.New(agui.Config{Remote: httpsse.Config{BaseURL: server.URL}}))
	})
}
