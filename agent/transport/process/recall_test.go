//go:build unix

package process_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestAnAgentOfASessionThatGoesOnGetsWhatItHas(t *testing.T) {
	memory := agent.Memory{
		Prompted: true, State: agent.Raw(`{"step":7}`),
		History: []agent.Said{{Role: agent.RoleUser, Text: "tea?"}, {Role: agent.RoleAgent, Text: "Yes."}},
	}
	const nothing, state, history = `"pages":false}}`, `"resume":true,"state":{"step":7}}`, `"history":[{"role":"user","text":"tea?"},{"role":"agent","text":"Yes."}]`
	for name, c := range map[string]struct {
		says, session, prompt string
		recall                func() agent.Memory
	}{
		"it keeps its sessions":  {`{"type":"agent_info","resume":true}`, state, `"prompt":null}`, func() agent.Memory { return memory }},
		"it reads what was said": {`{"type":"agent_info","history":true}`, nothing, history, func() agent.Memory { return memory }},
		"it does neither":        {`{"type":"agent_info"}`, nothing, `"prompt":null}`, func() agent.Memory { return memory }},
		"the session is new":     {`{"type":"agent_info","resume":true,"history":true}`, nothing, `"prompt":null}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			conv := greeting(t, scripted(`printf '%s\n' '`+c.says+`';`+echo), agent.Options{Recall: c.recall})
			conv.introduced()
			conv.prompt("t1")
			said := conv.until("done")
			require.Contains(t, said[0], c.session)
			require.Contains(t, said[1], c.prompt)
			conv.prompt("t2")
			require.NotContains(t, conv.until("done")[0], "history", "the process has had it")
		})
	}
}

// An agent that introduces itself after its first prompt has no session that it
// could go on with.
func TestAnAgentThatIntroducesItselfLateBeginsItsSession(t *testing.T) {
	conv := greeting(t, scripted(`read -r first; printf '%s\n' '{"type":"agent_info","resume":true}'; read -r session
printf '{"type":"telemetry","data":%s}\n' "$session"; end`), agent.Options{})
	conv.prompt("t1")
	require.Contains(t, strings.Join(conv.until("done"), ""), `"pages":false}}`)
}
