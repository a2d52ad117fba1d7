package ethos_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/turnwire/turnwire/internal/agent/ethos"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// Whatever a server sends, the turn must end.
func FuzzWebTurns(f *testing.F) {
	const sent = `{"json":{"sessionId":"s/1","turnId":"x"}}`
	events := func(lines ...string) string { return "id: 1\ndata: " + strings.Join(lines, "\n\ndata: ") + "\n\n" }
	f.Add(events(`{"type":"stream_meta"}`, `{"type":"run_start","traceId":"t"}`, `{"type":"text_delta","text":"a"}`, `{"type":"done","text":"a","turnCount":1}`), sent)
	f.Add(events(`{"type":"tool.approval_required","request":{"approvalId":"a","sessionId":"s/1","toolCallId":"c","args":{"a":1}}}`, `{"type":"approval.resolved","approvalId":"a","decision":"allow"}`), sent)
	f.Add(events(`{"type":"clarify.request","requestId":"q","question":"\ud83d?","default":"a"}`, `{"type":"clarify.resolved","requestId":"q","source":"timeout-default"}`), sent)
	f.Add(events(`{"type":"tool.approval_required","request":{"approvalId":"a","sessionId":"other"}}`, `{"type":"error","error":"e","code":"SESSION_BUSY"}`), sent)
	f.Add(events(`{"type":"done","text":"from the background"}`, `{"type":"done"}`, `{"TYPE":"done"}`, `{"type":7}`, `x`), sent)
	f.Add(``, `{"json":{"sessionId":""}}`)
	f.Add(``, `{"json":7}`)
	f.Add(``, `{"JSON":{"sessionId":"s"}}`)
	server := agenttest.NewServer(f)
	f.Fuzz(func(t *testing.T, stream, answer string) {
		server.Say(stream, answer)
		c := ethos.WebConfig{Remote: httpsse.Config{BaseURL: server.URL, Header: http.Header{"Authorization": {goodKey}}}}
		agenttest.RequireTurn(t, ethos.NewHurriedWeb(c, []time.Duration{0}, patience))
	})
}
