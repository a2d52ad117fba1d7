package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/textwidth"
)

func TestTheListOfAgentsFitsTheTerminal(t *testing.T) {
	yes, no := true, false
	list := []listed{
		{Name: "workspace", Title: "the embedded agent, which needs no model", Source: "built in", How: "embedded", Reachable: &yes, Detail: "always there"},
		{Name: "agentao", Title: "Agentao", Source: "built in", How: "python3", Reachable: &no, Detail: "/home/me/.pyenv/shims/python3 has no package agentao: pip install agentao"},
		{Name: "mine", Source: "/home/me/.config/turnwire/turnwire.json", How: "/home/me/a/long/path/to/a/program --with arguments", Detail: "the project\x1b[31m names it"},
	}
	var out strings.Builder
	require.NoError(t, (&agentsTable{list, nil, false, 80}).write(&out))
	require.Equal(t, `NAME       NOW  REACHED BY                        WHAT IT IS
workspace  yes  embedded                          the embedded agent, which nee…
agentao    no   python3                           Agentao
                /home/me/.pyenv/shims/python3 has no package agentao: pip
                install agentao
mine       ?    /home/me/a/long/path/to/a/progr…  (/home/me/.config/turnwire/tu…
                the project�[31m names it
`, out.String())
	for _, width := range []int{40, 60, 80, 200} {
		out.Reset()
		require.NoError(t, (&agentsTable{list, nil, true, width}).write(&out))
		for line := range strings.Lines(out.String()) {
			require.LessOrEqual(t, textwidth.Width(strings.TrimSuffix(line, "\n")), width)
		}
	}
}

func TestTheListOfAgentsNamesThoseThatAreMissing(t *testing.T) {
	yes, no := true, false
	there, missing := installed([]listed{
		{Name: "gemini", Title: "Gemini CLI", Source: "built in", How: "gemini --acp", Reachable: &yes, known: true},
		{Name: "codex", Reachable: &no, known: true},
		{Name: "ethos", Title: "Ethos", Source: "built in", How: "ethos acp", Reachable: &no, Detail: "ethos is not in PATH"},
		{Name: "goose", Reachable: &no, known: true},
	})
	var out strings.Builder
	require.NoError(t, (&agentsTable{there, missing, false, 80}).write(&out))
	require.Equal(t, `NAME    NOW  REACHED BY    WHAT IT IS
gemini  yes  gemini --acp  Gemini CLI
ethos   no   ethos acp     Ethos
             ethos is not in PATH

Not installed: codex, goose. turnwire agents add NAME adds one.
`, out.String())
}
