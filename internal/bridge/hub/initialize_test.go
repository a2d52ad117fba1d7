package hub_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/hub"
)

// A slowStarter is a source whose test answers its calls.
type slowStarter struct {
	core.Source // nil: nothing else is called

	calls chan *core.Call
}

func (s slowStarter) Call(c *core.Call) { s.calls <- c }
func (slowStarter) Stop(open []*core.Call) {
	for _, c := range open {
		c.Fail(context.Canceled)
	}
}
func (slowStarter) Keep()                 {}
func (slowStarter) Close(context.Context) {}

// An unseen is the view of a client that is shown nothing but answers.
type unseen struct{ core.View }

func (unseen) AwaitRoom() {}
func (unseen) Flush()     {}

// An agent that is slow to start gets its initialize request answered on its behalf, without
// capabilities. Clients that connect after it has started learn its capabilities.
func TestCapabilitiesOfASlowAgentReachLaterClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := slowStarter{calls: make(chan *core.Call, 8)}
		s := &stage{t: t, hub: hub.New(hub.Config{Open: func(context.Context, core.View) (core.Source, error) { return source, nil }})}
		t.Cleanup(func() {
			s.hub.Close()
			s.clients.Wait()
		})
		host := make(chan string, 8)
		call := core.NewCall("initialize", []byte(`{"protocolVersion":1}`), func(_ *core.Call, result []byte, _ error) { host <- string(result) })
		call.OnAmend(func(result []byte) { host <- string(result) })
		hosted := s.hub.Connect(unseen{}, hub.Client{Host: true})
		hosted.Call(call)
		one := s.client()
		one.say(hello, "one")
		starting := <-source.calls
		starting.ReplyJSON([]byte(`{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}`))
		require.NotContains(t, one.hear(), "promptCapabilities")
		require.NotContains(t, <-host, "promptCapabilities")
		two := s.client()
		two.say(hello, "two")
		require.NotContains(t, two.hear(), "promptCapabilities")
		two.say(resume, "")
		opening := <-source.calls
		require.Equal(t, "session/resume", opening.Method)
		opening.Fail(context.Canceled)
		two.hear()

		starting.Amend([]byte(`{"protocolVersion":1,"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true}},"authMethods":[{"id":"x","name":"X"}]}`))
		require.Contains(t, <-host, "promptCapabilities", "its own clients may connect later")
		three := s.client()
		three.say(hello, "three")
		three.expect(`{"jsonrpc":"2.0","id":"hello","result":{"protocolVersion":1,"authMethods":[{"id":"x","name":"X"}],
			"agentCapabilities":{"loadSession":true,"promptCapabilities":{"image":true},"sessionCapabilities":{"attach":{},"resume":{}}}}}`)
		three.say(resume, "")
		opening = <-source.calls
		require.Equal(t, "session/load", opening.Method, "the agent can load sessions, and later clients need the history")
		opening.ReplyJSON([]byte(`{}`))
		three.expect(`{"jsonrpc":"2.0","id":"r","result":{}}`)
		for _, p := range []*peer{one, two} {
			p.nothingElse()
		}
	})
}
