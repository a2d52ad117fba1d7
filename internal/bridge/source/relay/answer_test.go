package relay

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/transport/jsonrpc"
	"github.com/turnwire/turnwire/internal/bridge/core"
)

// The caller may keep an error, as the hub does for a client that reads slowly. But
// the agent's line is only valid until it was handled.
func TestAnErrorOutlivesTheAgentsLine(t *testing.T) {
	u, _, _ := between(t, io.Discard)
	var got error
	q := &request{method: "_a/call", up: u, call: core.NewCall("_a/call", nil, func(_ *core.Call, _ []byte, err error) { got = err })}
	u.relay.requests.open = map[*request]bool{q: true}
	u.calls = map[int64]*request{1: q}
	line := []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"log in first"}}`)
	m, err := jsonrpc.Parse(line)
	require.NoError(t, err)
	u.answer(m)
	clear(line)
	require.JSONEq(t, `{"code":-32000,"message":"log in first"}`, string(core.Wire(got)))
}
