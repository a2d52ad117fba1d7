package ahphost_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

// Agents that are started by a package manager take seconds to learn their models.
func TestLateModelsAndNamesReachAllSessions(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		w.title = "Tea Maker"
		a := w.connect("a")
		a.say(t, strings.Replace(hello, "%s", "a", 1))
		a.say(t, `{"jsonrpc":"2.0","id":1,"method":"createSession","params":{"channel":"`+session+`","provider":"turnwire"}}`)
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		a.say(t, `{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"`+chat+`","clientSeq":1,"action":{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}}}`)
		w.settle()
		require.Contains(t, changedAgents(a), `"displayName":"Tea Maker"`)
		w.agent.Load().say(t, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":"config_option_update","configOptions":[{"id":"model","name":"Model","category":"model","type":"select","currentValue":"m1","options":[{"value":"m1","name":"Green"}]}]}}}`)
		w.settle()
		changed := changedAgents(a)
		require.Contains(t, changed, `"name":"Green"`)
		require.Contains(t, changed, `"displayName":"Tea Maker"`)

		w.host.Close()
		w.begin(2000)
		b := w.connect("b")
		b.say(t, strings.Replace(hello, "%s", "b", 1))
		w.settle()
		require.Contains(t, strings.Join(b.drain(), "\n"), `"displayName":"Tea Maker"`, "it is known after a restart, before the agent runs")
	})
}

// A slowStarter is a source whose test answers its calls.
type slowStarter struct{ calls chan *core.Call }

func (s slowStarter) Call(c *core.Call)    { s.calls <- c }
func (slowStarter) Notify(string, []byte)  {}
func (slowStarter) Keep()                  {}
func (slowStarter) Stop(open []*core.Call) { stopped(open) }
func (slowStarter) Close(context.Context)  {}

func stopped(open []*core.Call) {
	for _, c := range open {
		c.Fail(context.Canceled)
	}
}

// The host is initialized once for all its clients, perhaps before the agent has answered.
func TestALateInitializeResponseReachesTheHost(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, home)
		defer w.close()
		source := slowStarter{make(chan *core.Call, 8)}
		w.open = func() core.Source { return source }
		a := w.create()
		a.say(t, `{"jsonrpc":"2.0","id":2,"method":"subscribe","params":{"channel":"`+chat+`"}}`)
		a.say(t, `{"jsonrpc":"2.0","method":"dispatchAction","params":{"channel":"`+chat+`","clientSeq":1,"action":{"type":"chat/turnStarted","turnId":"t1","startedAt":"","message":{"text":"go","origin":{"kind":"user"}}}}}`)
		initialize := <-source.calls
		initialize.ReplyJSON([]byte(`{"protocolVersion":1,"agentCapabilities":{},"authMethods":[]}`))
		synctest.Wait()
		require.NotContains(t, changedAgents(a.party), "Tea Maker")
		initialize.Amend([]byte(`{"protocolVersion":1,"agentCapabilities":{},"agentInfo":{"name":"tea","title":"Tea Maker","version":"1"}}`))
		synctest.Wait()
		require.Contains(t, changedAgents(a.party), `"displayName":"Tea Maker"`)
	})
}

// changedAgents returns the changes of the list of agents that a client received.
func changedAgents(p *party) string {
	var changes []string
	for _, line := range p.drain() {
		if strings.Contains(line, `"root/agentsChanged"`) {
			changes = append(changes, line)
		}
	}
	return strings.Join(changes, "\n")
}
