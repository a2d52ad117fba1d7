//go:build unix

package process_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

func TestAContinuedSessionsAgentGetsItsMemory(t *testing.T) {
	memory := agent.Memory{
		Prompted: true, State: agent.Raw(`{"step":7}`),
		History: []agent.Message{{Role: agent.RoleUser, Text: "tea?"}, {Role: agent.RoleAgent, Text: "Yes."}},
	}
	const nothing, state, history = `"pages":false}}`, `"resume":true,"state":{"step":7}}`, `"history":[{"role":"user","text":"tea?"},{"role":"agent","text":"Yes."}]`
	for name, c := range map[string]struct {
		says, session, prompt string
		recall                func() agent.Memory
	}{
		"it keeps its sessions":  {`{"type":"agent_info","resume":true}`, state, `"prompt":null}`, func() agent.Memory { return memory }},
		"it reads what was said": {`{"type":"agent_info","history":true}`, nothing, history, func() agent.Memory { return memory }},
		"it is a fork": {`{"type":"agent_info","resume":true}`, `"resume":true,"forkOf":"s0","state":{"step":7}}`, `"prompt":null}`, func() agent.Memory {
			fork := memory
			fork.ForkOf = "s0"
			return fork
		}},
		"it does neither":    {`{"type":"agent_info"}`, nothing, `"prompt":null}`, func() agent.Memory { return memory }},
		"the session is new": {`{"type":"agent_info","resume":true,"history":true}`, nothing, `"prompt":null}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			conv := greeting(t, scripted(`printf '%s\n' '`+c.says+`';`+echo), agent.Options{Recall: c.recall})
			conv.introduced()
			conv.prompt("t1")
			events := conv.until("done")
			require.Contains(t, events[0], c.session)
			require.Contains(t, events[1], c.prompt)
			conv.prompt("t2")
			require.NotContains(t, conv.until("done")[0], "history", "the process has had it")
		})
	}
}

// An agent that introduces itself after its first prompt has no session to
// continue.
func TestAnAgentIntroducedLateStartsANewSession(t *testing.T) {
	conv := greeting(t, scripted(`read -r first; printf '%s\n' '{"type":"agent_info","resume":true}'; read -r session
printf '{"type":"telemetry","data":%s}\n' "$session"; end`), agent.Options{})
	conv.prompt("t1")
	require.Contains(t, strings.Join(conv.until("done"), ""), `"pages":false}}`)
}

// The agent, which is slow to start, is known to continue its sessions.
func TestAContinuedSessionWaitsForItsAgent(t *testing.T) {
	remembered := new(recorded)
	remembered.Remember(process.Introduction{Known: true, Resume: true})
	for name, c := range map[string]struct {
		known  process.Memory
		memory agent.Memory
		want   string
	}{
		"by what it said last":    {remembered, agent.Memory{Prompted: true}, `"resume":true`},
		"by what was kept for it": {nil, agent.Memory{Prompted: true, State: agent.Raw("7")}, `"resume":true,"state":7`},
		"though nothing else is":  {new(recorded), agent.Memory{Prompted: true, State: agent.Raw("7")}, `"resume":true,"state":7`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := scripted(`while ! [ -e go ]; do sleep 0.01; done; printf '{"type":"agent_info","resume":true}\n';` + echo)
			config.GreetTimeout = time.Millisecond
			config.Memory = c.known
			conv := greeting(t, config, agent.Options{Cwd: dir, Recall: func() agent.Memory { return c.memory }})
			require.Empty(t, conv.introduced())
			conv.prompt("t1")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "go"), nil, 0o600))
			events := conv.until("done")
			require.Equal(t, "agent_info", events[0])
			require.Contains(t, events[1], c.want, "before the prompt")
		})
	}
}
