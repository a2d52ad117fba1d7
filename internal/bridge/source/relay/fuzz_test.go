package relay

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
	"github.com/turnwire/turnwire/internal/exactjson"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// FuzzAgent reads arbitrary agent output. What the editor gets is JSON, and answers
// each of its requests at most once. No update of a turn follows its response.
func FuzzAgent(f *testing.F) {
	for _, line := range relayed {
		f.Add([]byte(line))
	}
	f.Add([]byte(strings.Replace(relayed["text"], "a piece of text", "[error] x", 1) + "\n" + `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"refusal"}}`))
	f.Add([]byte(strings.Replace(relayed["text"], "a piece of text", `! x\n`, 1) + "\n" + `{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"lost"}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"S","toolCallId":"c","options":[{"optionId":"maybe"}]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}` + "\n" + relayed["text"]))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":null}` + "\n" + `{"jsonrpc":"2.0","id":1,"error":7}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"a","method":"session/request_permission","params":{"sessionId":"S","options":[{"optionId":"x"},7]}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":2,"result":{"sessionId":"S"}}`))
	f.Add([]byte(`{"method":"session/update","params":{"sessionId":"S","update":{"sessionUpdate":"tool_call","toolCallId":"\ud800","title":7}}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"a"}}` + "\n[1]\n{}\n\"\n"))
	f.Fuzz(func(t *testing.T, line []byte) {
		read(t, line, nil)
		read(t, line, quirks.Glue())
	})
}

// read reads an agent's output, and checks what the editor gets.
func read(t *testing.T, line []byte, table *quirks.Table) {
	t.Helper()
	var out bytes.Buffer
	u, s, view := between(t, &out)
	u.relay.cfg.Agent.Quirks, s.quirks = table, table.NewSession("/w")
	u.relay.cfg.Agent.Start = func(acptransport.Spec) (acptransport.Transport, error) { return nil, errors.New("no other one") }
	u.relay.requests = requests{open: make(map[*request]bool)}
	u.rpc = jsonrpc.New(u.relay.log, func() {})
	u.calls, u.pending = make(map[int64]*request), make(map[string]*pendingRequest)
	for n, method := range []string{v1.MethodSessionPrompt, v1.MethodSessionNew} {
		q := &request{call: view.call("1"+strconv.Itoa(n), method), method: method, number: int64(n + 1), sent: true, up: u}
		u.relay.requests.open[q], u.calls[q.number] = true, q
		if method == v1.MethodSessionPrompt {
			s.turn.prompts, q.session = []*request{q}, s
		}
	}
	u.early.openings = 1
	require.NoError(t, u.rpc.Read(bytes.NewReader(line), u))
	u.relay.work.Wait()
	require.NoError(t, view.stream.Close())
	answered := make(map[string]bool)
	for line := range bytes.Lines(out.Bytes()) {
		require.True(t, json.Valid(line), "%q", line)
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				SessionID string `json:"sessionId"`
				Update    struct {
					Kind      string `json:"sessionUpdate"`
					MessageID string `json:"messageId"`
				} `json:"update"`
			} `json:"params"`
		}
		if exactjson.Unmarshal(line, &m) != nil {
			continue // members that the protocol doesn't define
		}
		if m.Method == "" && m.ID != nil {
			require.False(t, answered[string(m.ID)], "%q", line)
			answered[string(m.ID)] = true
		}
		late := m.Method == v1.MethodSessionUpdate && m.Params.SessionID == "S" && m.Params.Update.MessageID == "" &&
			(m.Params.Update.Kind == kindMessage || m.Params.Update.Kind == kindThought)
		require.False(t, late && answered["10"], "%q", line)
	}
}

// FuzzRepair repairs updates that strict readers would refuse. The result is JSON of
// the requested kind.
func FuzzRepair(f *testing.F) {
	f.Add([]byte(`{"sessionUpdate":"tool_call","toolCallId":"a","title":7,"status":{},"content":"x"}`))
	f.Add([]byte(`{"sessionUpdat\u0065":"plan","sessionUpdate":"tool_call_update","toolCallId":"a\"b","title":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		line := scan(body, nil)
		if !line.wellMade || line.call == nil {
			return
		}
		var got struct {
			Kind  string  `json:"sessionUpdate"`
			Title *string `json:"title"`
		}
		require.NoError(t, exactjson.Unmarshal(bytes.ToValidUTF8(line.repaired(kindCall), []byte("\ufffd")), &got))
		require.Equal(t, kindCall, got.Kind)
		require.NotNil(t, got.Title)
	})
}
