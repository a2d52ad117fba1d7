package agui_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agui"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// host is an AG-UI server with scripted runs.
type host struct {
	*httptest.Server
	t      *testing.T
	runs   chan http.HandlerFunc
	inputs chan map[string]any
}

func newHost(t *testing.T, runs ...http.HandlerFunc) *host {
	t.Helper()
	h := &host{t: t, runs: make(chan http.HandlerFunc, 16), inputs: make(chan map[string]any, 16)}
	for _, r := range runs {
		h.runs <- r
	}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var input map[string]any
		if err := json.NewDecoder(r.Body).Decode(&input); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		h.inputs <- input
		(<-h.runs)(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// input returns a member of the next run's input.
func (h *host) input() map[string]any { return <-h.inputs }

// messages returns the messages of the next run's input, without their random ids.
func (h *host) messages() string {
	h.t.Helper()
	list, ok := h.input()["messages"].([]any)
	require.True(h.t, ok)
	for _, m := range list {
		delete(m.(map[string]any), "id")
	}
	raw, err := json.Marshal(list)
	require.NoError(h.t, err)
	return string(raw)
}

// run answers with the events of a run.
func run(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		send(w, started)
		send(w, events...)
	}
}

func send(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range events {
		_, _ = io.WriteString(w, "data: "+strings.ReplaceAll(e, "\n\t", " ")+"\n\n")
	}
	w.(http.Flusher).Flush()
}

func refuse(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const (
	started  = `{"type":"RUN_STARTED","threadId":"s","runId":"r"}`
	finished = `{"type":"RUN_FINISHED","threadId":"s","runId":"r"}`
)

func textEvents(id, text string) string {
	return `{"type":"TEXT_MESSAGE_CHUNK","messageId":"` + id + `","delta":"` + text + `"}`
}

// called returns the events of a tool call that the model has written.
func called(id string) string {
	return strings.Join([]string{
		`{"type":"TOOL_CALL_START","toolCallId":"` + id + `","toolCallName":"launch"}`,
		`{"type":"TOOL_CALL_ARGS","toolCallId":"` + id + `","delta":"{\"to\":\"moon\"}"}`,
		`{"type":"TOOL_CALL_END","toolCallId":"` + id + `"}`,
	}, "\n\ndata: ")
}

func result(id, text string) string {
	return `{"type":"TOOL_CALL_RESULT","messageId":"m-` + id + `","toolCallId":"` + id + `","content":"` + text + `"}`
}

// interrupted ends a run that waits for answers.
func interrupted(interrupts ...string) string {
	return strings.TrimSuffix(finished, "}") + `,"outcome":{"type":"interrupt","interrupts":[` + strings.Join(interrupts, ",") + `]}}`
}

// approval returns an interrupt that asks for permission.
func approval(id, call string) string {
	return `{"id":"` + id + `","reason":"tool_call","message":"Launch?","toolCallId":"` + call +
		`","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"},"editedArgs":{"type":"object"}},"required":["approved"]}}`
}

// conversation is a session that keeps its saved states.
type conversation struct {
	*agenttest.Conversation
	state agent.Raw
}

func (h *host) open(o agent.Options) *conversation { return open(h.t, agui.Config{}, h.URL, o) }

func open(t *testing.T, c agui.Config, url string, o agent.Options) *conversation {
	t.Helper()
	c.Remote = httpsse.Config{BaseURL: url}
	if o.SessionID == "" {
		o.SessionID = "s"
	}
	s := new(conversation)
	s.Conversation = agenttest.Open(t, agui.New(c), o, func(e agent.Event) string {
		if state, ok := e.(*agent.State); ok {
			s.state = append(agent.Raw(nil), state.State...)
			return ""
		}
		return agenttest.JSON(e)
	})
	return s
}

func (c *conversation) prompt(text string) {
	c.T.Helper()
	c.Send(agent.Prompt{SessionID: "s", TurnID: "t", Text: text})
}

// answered requires a turn without errors.
func (c *conversation) answered(text string) []string {
	c.T.Helper()
	c.prompt(text)
	lines := c.UntilEnd()
	require.Equal(c.T, `{"type":"done","text":""}`, lines[len(lines)-1])
	return lines
}

// failure returns the error of a turn.
func (c *conversation) failure() (text, code string) {
	c.T.Helper()
	var e agent.Error
	c.prompt("go")
	c.UntilEnd(func(got agent.Event) {
		if failed, ok := got.(*agent.Error); ok {
			e = *failed
		}
	})
	return e.Error, e.Code
}

// awaitRequests returns the ids of the next n requests to the user.
func (c *conversation) awaitRequests(n int) (ids []string) {
	c.T.Helper()
	c.Until(func(e agent.Event) bool {
		switch e := e.(type) {
		case *agent.ConfirmationRequested:
			ids = append(ids, e.ConfirmationID)
		case *agent.QuestionAsked:
			ids = append(ids, e.QuestionID)
		}
		return len(ids) == n
	})
	return ids
}

func recalling(state agent.Raw, forkOf string) agent.Options {
	return agent.Options{Recall: func() agent.Memory { return agent.Memory{Prompted: true, State: state, ForkOf: forkOf} }}
}
