package durable_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

func FuzzServerLines(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s","_meta":{"turnwire.dev/turns":3}}}`)
	f.Add(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t"}}}`)
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"authMethods":[{"type":"terminal"},{"id":"x"}]}}`)
	f.Add(`{"jsonrpc":"2.0","id":"r","method":"x","params":7}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r\n") || strings.TrimSpace(text) == "" {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			s := flaky.Calm(t, server.Limits{}, nil, oneLine(text))
			p := play(t, s, nil)
			p.say(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/work"}}`)
			p.say(`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}`)
			p.say(`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s"}}`)
			p.answer("3")
		})
	})
}
