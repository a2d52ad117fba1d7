package agentb_test

import (
	"strings"
	"testing"

	"github.com/turnwire/turnwire/internal/agent/agentb"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
	"github.com/turnwire/turnwire/internal/test/agenttest"
)

// Whatever a server sends, the turn must end.
func FuzzTurns(f *testing.F) {
	events := func(lines ...string) string { return "data: " + strings.Join(lines, "\n\ndata: ") + "\n\n" }
	f.Add(events(delta(1, "a"), delta(2, `\ud83d`), completed("x")), `{}`, true)
	f.Add(events(append(required(call("c1")), completed("x"))...), `{"ok":true}`, true)
	f.Add(events(append(required(call("c1"), call("c1")), completed("x"))...), ``, false)
	f.Add(events(required(call(""))...), `[]`, true)
	f.Add(events(`{"type":"thread.run.failed","runId":7,"threadId":"unknown","data":null}`), `null`, true)
	f.Add(events(line("thread.run.step.tool_call.created", `{"toolCall":`+call(`c\ud83d`)+`}`), line("thread.run.cancelled", `{}`)), ``, true)
	f.Add("event: error\ndata: x\n\n", ``, false)
	server := agenttest.NewServer(f)
	f.Fuzz(func(t *testing.T, stream, answer string, outputs bool) {
		server.Say(stream, answer)
		c := agentb.Config{Remote: httpsse.Config{BaseURL: server.URL}, Path: "/run", CancelPath: "/cancel"}
		if outputs {
			c.ToolOutputs = "/outputs"
		}
		agenttest.RequireTurn(t, agentb.New(c))
	})
}
