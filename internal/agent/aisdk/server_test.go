package aisdk_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/aisdk"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// A fake is a server with one stream for each request. A stream that ends with hang
// stays open until the client is gone.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	streams []string
	paths   []string
	bodies  []string
	gone    chan struct{} // closed when the client of a hanging stream is gone
}

const hang = "hang"

func serve(t *testing.T, streams ...string) *fake {
	t.Helper()
	f := &fake{streams: streams, gone: make(chan struct{})}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// ServeHTTP implements [http.Handler].
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	n := len(f.bodies)
	f.bodies, f.paths = append(f.bodies, string(body)), append(f.paths, r.URL.Path)
	f.mu.Unlock()
	if n >= len(f.streams) {
		http.Error(w, "the messages are wrong", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	text, hangs := strings.CutSuffix(f.streams[n], hang)
	_, _ = io.WriteString(w, text)
	if hangs {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(f.gone)
	}
}

// messages returns the messages of a request.
func (f *fake) messages(t *testing.T, request int) string {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	require.Greater(t, len(f.bodies), request)
	var body struct {
		ID, Trigger string
		Messages    json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(f.bodies[request]), &body))
	assert.Equal(t, "s1", body.ID)
	assert.Equal(t, "submit-message", body.Trigger)
	return string(body.Messages)
}

func (f *fake) requests() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.bodies)
}

// events returns a stream of these chunks.
func events(chunks ...string) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString("data: " + c + "\n\n")
	}
	return b.String()
}

const (
	start   = `{"type":"start","messageId":"m1"}`
	step    = `{"type":"start-step"}`
	endStep = `{"type":"finish-step"}`
	finish  = `{"type":"finish","finishReason":"stop"}`
	done    = `[DONE]`
)

func say(text string) string {
	return events(start, step, `{"type":"text-start","id":"0"}`, fmt.Sprintf(`{"type":"text-delta","id":"0","delta":%q}`, text), `{"type":"text-end","id":"0"}`, endStep, finish, done)
}

func call(id string) string {
	return fmt.Sprintf(`{"type":"tool-input-available","toolCallId":%q,"toolName":"touch","input":{"n":12345678901234567890}}`, id)
}

func approvalRequest(approval, id string) string {
	return fmt.Sprintf(`{"type":"tool-approval-request","approvalId":%q,"toolCallId":%q,"signature":"sig"}`, approval, id)
}

type conversation struct {
	*agenttest.Conversation
	*fake
	turns int
	state agent.Raw // the last
}

func open(t *testing.T, f *fake, m agent.Memory) *conversation {
	t.Helper()
	o := agent.Options{SessionID: "s1", Cwd: "/", Recall: func() agent.Memory { return m }}
	return &conversation{agenttest.Open(t, aisdk.New(aisdk.Config{Remote: httpsse.Config{BaseURL: f.URL}}), o, brief), f, 0, nil}
}

func (c *conversation) prompt(text string) {
	c.T.Helper()
	c.turns++
	c.Send(agent.Prompt{SessionID: "s1", TurnID: fmt.Sprintf("t%d", c.turns), Text: text})
}

// end receives the rest of the turn.
func (c *conversation) end() []string {
	c.T.Helper()
	return c.UntilEnd(func(e agent.Event) {
		if s, ok := e.(*agent.State); ok {
			c.state = append(agent.Raw(nil), s.State...)
		}
	})
}

func (c *conversation) awaitApprovals(n int) {
	c.T.Helper()
	for range n {
		c.Until(func(e agent.Event) bool { return e.Type() == "tool_confirmation_request" })
	}
}

func brief(e agent.Event) string {
	switch e := e.(type) {
	case *agent.ToolEnd:
		return fmt.Sprintf("end %s %t", e.ToolCallID, e.OK)
	case *agent.ConfirmationRequested:
		return "confirm " + e.ConfirmationID + e.Refusal
	case *agent.State, *agent.StepStart, *agent.StepEnd, *agent.ToolReady:
		return ""
	}
	return agenttest.Brief(e)
}
