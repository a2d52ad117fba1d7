//go:build unix

package process_test

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	native "github.com/turnwire/turnwire/internal/agent/native/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/test/agenttest"
	"github.com/turnwire/turnwire/internal/test/limits"
)

// greeting opens a session for an agent that may introduce itself.
func greeting(t *testing.T, c process.Config, o agent.Options) *conversation {
	t.Helper()
	c.Greets = true
	if c.GreetTimeout == 0 {
		c.GreetTimeout = patience // a test that needs the timeout hangs
	}
	o.SessionID = "s1"
	if o.Cwd == "" {
		o.Cwd = t.TempDir()
	}
	return &conversation{Conversation: agenttest.Open(t, process.New(c), o, brief)}
}

// introduced receives events until nothing waits for the agent any more, and no further.
func (c *conversation) introduced() (events []string) {
	c.T.Helper()
	for {
		select {
		case <-agent.Introduced(c.Session):
			return events
		default:
		}
		select {
		case b := <-c.Events():
			for e := range b.Events() {
				events = append(events, brief(e))
			}
			b.Release()
		case <-agent.Introduced(c.Session):
			return events
		case <-time.After(patience):
			require.Fail(c.T, "the agent is waited for")
		}
	}
}

const echo = `while read -r line; do printf '{"type":"telemetry","data":%s}\n' "$line"; case $line in *prompt*) end;; esac; done`

func TestAnIntroducedAgentGetsItsSession(t *testing.T) {
	c := greeting(t, scripted(`printf '{"type":"agent_info","name":"Tea"}\n';`+echo), agent.Options{
		Cwd: "/", Roots: []string{"/tmp"}, MCPServers: []agent.Raw{agent.Raw(`{"name":"m","command":"x"}`)},
		About:  agent.Editor{Name: "zed", Version: "1", ReadFile: true, Forms: true},
		System: &agent.SystemPrompt{Mode: "append", Text: "Be brief."},
	})
	require.Equal(t, []string{"agent_info"}, c.introduced())
	c.prompt("t1")
	require.Equal(t, []string{
		`{"type":"session","sessionId":"s1","cwd":"/","roots":["/tmp"],"mcpServers":[{"name":"m","command":"x"}],"editor":{"name":"zed","version":"1","readFile":true,"writeFile":false,"terminal":false,"forms":true,"pages":false},"systemPrompt":{"mode":"append","text":"Be brief."}}`,
		`{"type":"prompt","sessionId":"s1","turnId":"t1","cwd":"","text":"hello","prompt":null}`,
		"done",
	}, c.until("done"))
}

func TestAnUnintroducedAgentGetsOnlyPrompts(t *testing.T) {
	config := scripted(echo)
	config.GreetTimeout = time.Millisecond
	c := greeting(t, config, agent.Options{})
	require.Empty(t, c.introduced())
	c.prompt("t1")
	require.Equal(t, []string{`{"type":"prompt","sessionId":"s1","turnId":"t1","cwd":"","text":"hello","prompt":null}`, "done"}, c.until("done"))
}

// If an agent has not introduced itself by the end of its first turn, no other session
// waits for it.
func TestAnUnintroducedAgentIsWaitedForOnce(t *testing.T) {
	config := scripted(echo)
	config.GreetTimeout, config.Memory = time.Millisecond, new(recorded)
	first := greeting(t, config, agent.Options{})
	require.Empty(t, first.introduced())
	first.prompt("t1")
	first.until("done")
	limits.Eventually(t, func() bool { return config.Memory.Recall() != nil })
	config.GreetTimeout = patience
	second := greeting(t, config, agent.Options{})
	require.Empty(t, second.introduced())
}

func TestAnAgentMayIntroduceItselfLate(t *testing.T) {
	config := scripted(`read -r line; printf '{"type":"agent_info"}\n{"type":"agent_info"}\n'; end;` + echo)
	config.GreetTimeout = time.Millisecond
	c := greeting(t, config, agent.Options{})
	require.Empty(t, c.introduced())
	c.prompt("t1")
	first := c.until("done")
	require.Equal(t, []string{"agent_info", "agent_info", "done"}, first[:3])
	c.prompt("t2")
	events := slices.Concat(first[3:], c.until("done")) // events after the first turn may arrive at once
	require.Len(t, events, 3, "it is told of its session once: %s", events)
	require.Contains(t, events[0], `"type":"session"`)
}

func TestTurnEventsBeforeThePromptWaitForIt(t *testing.T) {
	c := greeting(t, scripted(`printf '{"type":"session_title","title":"T"}\n'; say early; end; printf '{"type":"session_title","title":"U"}\n'; exec sleep 3600`), agent.Options{})
	require.Equal(t, []string{"session_title"}, c.introduced(), "an agent that does not wait for its prompt will not introduce itself")
	c.prompt("t1")
	require.Equal(t, []string{"early", "done"}, c.until("done")[:2], "what follows may be there at once")
}

func TestAPromptRestartsAnAgentThatEndedBeforeIt(t *testing.T) {
	c := greeting(t, scripted(`say "from $$"; end`), agent.Options{})
	c.introduced()
	c.prompt("t1")
	require.Len(t, c.until("done"), 2, "nothing is said twice")
}

func TestAMissingCommandIsASessionError(t *testing.T) {
	for command, cure := range map[string]string{
		"no-such-agent-anywhere":  "install it, or give its full path",
		"/no/such/agent/anywhere": "check the path",
	} {
		_, err := process.New(process.Config{Args: []string{command}, Dialect: native.Dialect, Greets: true}).Open(t.Context(), agent.Options{Cwd: t.TempDir()})
		require.ErrorContains(t, err, command)
		require.ErrorContains(t, err, cure)
	}
}

// The user is told about each exit that loses the conversation. An agent that exits
// cleanly after its turn is meant to, and one that keeps its conversations is told to
// continue.
func TestACrashIsReportedAtTheNextPrompt(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		want   string
	}{
		"between turns":   {`read -r line; say once; end; exit 3`, "notice"},
		"it ends well":    {`read -r line; say once; end; exit 0`, "once"},
		"in a turn":       {`read -r line; [ -e again ] || { touch again; exit 4; }; say once; end; exit 0`, "notice"},
		"it can go on":    {`printf '{"type":"agent_info","resume":true}\n'; read -r session; say "$(echo "$session" | tr '"' .)"; read -r line; end; exit 3`, "resume"},
		"killed by hands": {`read -r line; say once; end; kill -9 $$`, "notice"},
	} {
		t.Run(name, func(t *testing.T) {
			config := scripted(c.script)
			if c.want != "resume" { // an agent that does not introduce itself need not be waited for
				config.GreetTimeout = time.Millisecond
			}
			conv := greeting(t, config, agent.Options{})
			conv.introduced()
			conv.prompt("t1")
			conv.until("error agent_exited t1")
			conv.prompt("t2")
			events := conv.until("error agent_exited t2")
			if c.want == "resume" {
				require.Contains(t, events[0]+events[1], `.resume.:true`)
				require.NotContains(t, events, "notice")
				return
			}
			require.Equal(t, c.want, events[0])
		})
	}
}

// recorded is an in-memory [process.Memory].
type recorded struct {
	mu    sync.Mutex
	known *process.Introduction
}

func (r *recorded) Recall() *process.Introduction {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known
}

func (r *recorded) Remember(i process.Introduction) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known = &i
}

func TestAnAgentsIntroductionIsKnownTheNextTime(t *testing.T) {
	memory := new(recorded)
	config := scripted(`[ -z "$SAYS" ] || printf '%s\n' "$SAYS";` + echo)
	config.Memory = memory
	require.Equal(t, agent.Info{Name: "sh", Title: "sh", Local: true}, process.New(config).Info())

	config.Env = append(os.Environ(), `SAYS={"type":"agent_info","name":"Tea","version":"2","prompt":{"image":true},"mcp":{"http":true},"steer":{"image":true},"resume":true}`)
	c := greeting(t, config, agent.Options{})
	c.introduced()
	require.Equal(t, agent.Info{Name: "sh", Title: "Tea", Image: true, MCP: &agent.MCPTakes{HTTP: true}, Steer: &agent.PromptTakes{Image: true}, Resume: true, Local: true}, process.New(config).Info())
	config.Title = "Pot"
	require.Equal(t, "Tea", process.New(config).Info().Title, "the agent's own name comes first")

	// It introduces itself with less the next time.
	config.Env = nil
	config.GreetTimeout = time.Millisecond
	memory.known = nil
	silent := greeting(t, config, agent.Options{})
	silent.introduced()
	silent.prompt("t1")
	silent.until("done")
	require.NoError(t, silent.Close(t.Context()))
	require.Equal(t, &process.Introduction{}, memory.Recall())

	// Nothing waits for an agent that is known not to introduce itself.
	config.GreetTimeout = patience
	require.Empty(t, greeting(t, config, agent.Options{}).introduced())

	config.Takes = &agent.PromptTakes{Audio: true}
	require.True(t, process.New(config).Info().Audio, "as its configuration says")
}
