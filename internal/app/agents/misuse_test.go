package agents_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/lint"
	"github.com/turnwire/turnwire/internal/app/agents"
)

func TestMisuseIsRecognizedByTheCommandLine(t *testing.T) {
	for command, want := range map[string][3]string{
		"gemini --acp":                               {lint.SpeaksACP, "the program gemini speaks the Agent Client Protocol", "Use --agent gemini."},
		"gemini":                                     {lint.OtherAgent, "the program gemini does not print Turnwire's events", "Use --agent gemini."},
		"claude -p --output-format stream-json":      {lint.OtherAgent, "the program claude does not print Turnwire's events", "Use --agent claude."},
		"codex exec --json":                          {lint.OtherAgent, "the program codex does not print Turnwire's events", "Use --agent codex."},
		"claude-agent-acp":                           {lint.SpeaksACP, "the program claude-agent-acp speaks the Agent Client Protocol", "Use --agent claude."},
		"cursor-agent acp":                           {lint.SpeaksACP, "the program cursor-agent speaks the Agent Client Protocol", "Use --agent cursor."},
		"npx some-agent --acp=true hush":             {lint.SpeaksACP, "the program npx probably speaks the Agent Client Protocol", "Use --agent acp -- COMMAND."},
		"/opt/claude -p --output-format stream-json": {lint.StreamJSON, "the program claude probably prints Claude Code's stream-json", "Use --agent claude."},
		"./gemini":                                   {},
		"python3 my_agent.py":                        {},
		"sh -c acp-is-no-word":                       {},
	} {
		f := agents.Misuse(strings.Fields(command))
		if want[0] == "" {
			require.Nil(t, f, command)
			continue
		}
		require.NotNil(t, f, command)
		require.Equal(t, want, [3]string{f.Rule, f.Message, f.Help}, command)
	}
	require.Nil(t, agents.Misuse(nil))
}
