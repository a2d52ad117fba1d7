package agents_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/agents/known"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// catalogue returns the catalogue of a user who configured these agents.
func catalogue(t *testing.T, members string) *agents.Catalogue {
	t.Helper()
	f, err := config.Parse("/home/me/turnwire.json", []byte(`{"agents": {`+members+`}}`))
	require.NoError(t, err)
	return agents.New(f.Agents)
}

const team = `"team": {"type": "agentb", "url": "https://agentb.example.org", "headers": {"X": "$TEAM_KEY"}}`

func TestTheBuiltInAgentsAreThere(t *testing.T) {
	require.Equal(t, []string{"ethos", "agentao", "awaken", "glue", "agentb", "agui", "aisdk", "acp", "workspace"}, agents.BuiltIn())
	require.Equal(t, append(agents.BuiltIn(), commonNames()...), agents.New(nil).Names())
}

func commonNames() (names []string) {
	for _, a := range known.All() {
		names = append(names, a.Name)
	}
	return names
}

func TestConfiguredAgentsFollowBuiltInOnesAndReplaceThem(t *testing.T) {
	c := catalogue(t, team+`, "awaken": {"type": "awaken", "url": "http://localhost:1"}, "a": {"type": "glue"}`)
	require.Equal(t, append([]string{"ethos", "agentao", "glue", "agentb", "agui", "aisdk", "acp", "workspace", "a", "awaken", "team"}, commonNames()...), c.Names())
	_, err := c.Open(agents.Request{Name: "awaken"})
	require.NoError(t, err, "it has a URL now")
}

func TestEveryAgentCanBeMade(t *testing.T) {
	t.Setenv("TEAM_KEY", "k")
	c := catalogue(t, team+`,
		"mine": {"type": "process", "command": "mine", "title": "My own", "tools": {"frob": {"kind": "edit", "verb": "Frob"}}},
		"nameless": {"type": "process", "command": "sh"},
		"ours": {"type": "ethos-web", "url": "http://localhost:3000"}`)
	for name, r := range map[string]agents.Request{
		"ethos":          {},
		"ethos's web":    {Name: "ethos", URL: "http://localhost:3000"},
		"agentao":        {},
		"awaken":         {URL: "http://localhost:8080", Headers: []string{"X: y"}},
		"glue":           {},
		"glue elsewhere": {Name: "glue", Command: []string{"/opt/glue", "acp"}},
		"agentb":         {URL: "http://localhost:8080"},
		"aisdk":          {URL: "http://localhost:3000"},
		"claude":         {},
		"acp":            {Command: []string{"gemini"}},
		"workspace":      {},
		"team":           {},
		"mine":           {Dialect: "native"},
		"ours":           {},
	} {
		if r.Name == "" {
			r.Name = name
		}
		choice, err := c.Open(r)
		require.NoError(t, err, name)
		if choice.Relayed != nil {
			require.Nil(t, choice.Agent, "it is not spoken to in events")
			require.NotEmpty(t, choice.Relayed.Name, name)
			continue
		}
		require.NotEmpty(t, choice.Agent.Info().Name, name)
	}
	glue, err := c.Open(agents.Request{Name: "glue"})
	require.NoError(t, err)
	require.Equal(t, []string{"glue", "acp"}, glue.Relayed.Args)
	require.Equal(t, quirks.Glue(), glue.Relayed.Quirks)
	other, err := c.Open(agents.Request{Name: "acp", Command: []string{"gemini"}})
	require.NoError(t, err)
	require.Nil(t, other.Relayed.Quirks)
	mine, err := c.Open(agents.Request{Name: "mine"})
	require.NoError(t, err)
	require.Equal(t, agent.Info{Name: "mine", Title: "My own", Local: true}, mine.Agent.Info())
	nameless, err := c.Open(agents.Request{Name: "nameless"})
	require.NoError(t, err)
	require.Equal(t, agent.Info{Name: "sh", Title: "nameless", Local: true}, nameless.Agent.Info())
	require.Equal(t, toolview.Table{{Name: "frob", Kind: "edit", Verb: "Frob"}}, mine.Tools)
}

func TestUnsupportedOptionsAreUsageErrors(t *testing.T) {
	t.Setenv("TEAM_KEY", "k")
	c := catalogue(t, team)
	for want, r := range map[string]agents.Request{
		`unknown agent "ehtos"; did you mean ethos?`:       {Name: "ehtos"},
		`unknown agent "claude-acp"; did you mean claude?`: {Name: "claude-acp"},
		"unknown agent \"no-such-agent\" (available: ethos, agentao, awaken, glue, agentb, agui, aisdk, acp, workspace, team, " + strings.Join(commonNames(), ", ") + ")": {Name: "no-such-agent"},
		"the agent awaken needs --url, the address of its server":                                                          {Name: "awaken"},
		"the agent team is not a program: remove the command after --":                                                     {Name: "team", Command: []string{"x"}},
		"the agent workspace is not a program: remove the command after --":                                                {Name: "workspace", Command: []string{"x"}},
		"the agent glue is not a server: remove --url":                                                                     {Name: "glue", URL: "http://x"},
		"the agent ethos is not a server: remove --header":                                                                 {Name: "ethos", Headers: []string{"X: y"}},
		"the agent team has its own dialect: remove --dialect":                                                             {Name: "team", Dialect: "native"},
		"the agent acp needs a command after --, such as --agent acp -- gemini --acp, or --url, the address of its server": {Name: "acp"},
		"--header needs NAME: VALUE":                                                                                       {Name: "team", Headers: []string{"hush"}},
		`--url: the URL "ftp://x" must begin with http:// or https:// and a host`:                                          {Name: "awaken", URL: "ftp://u:hush@x"},
	} {
		_, err := c.Open(r)
		var usage *agents.UsageError
		require.ErrorAs(t, err, &usage)
		require.EqualError(t, err, want)
	}
}

func TestUnsetVariablesAreErrorsWithTheirPosition(t *testing.T) {
	c := catalogue(t, team+",\n"+`"mine": {"type": "process", "command": "x", "env": {"KEY": "$NO_SUCH_KEY"}}`)
	_, err := c.Open(agents.Request{Name: "mine"})
	require.EqualError(t, err, "/home/me/turnwire.json:2: agents.mine.env.KEY: the environment variable NO_SUCH_KEY is not set (write $$ for a dollar sign)")
	_, err = c.Open(agents.Request{Name: "team"})
	require.EqualError(t, err, "/home/me/turnwire.json:1: agents.team.headers.X: the environment variable TEAM_KEY is not set (write $$ for a dollar sign)")
	_, err = c.Open(agents.Request{Name: "awaken", URL: "http://x", Headers: []string{"X: $NO_SUCH_KEY"}})
	require.EqualError(t, err, "headers.X: the environment variable NO_SUCH_KEY is not set (write $$ for a dollar sign)")
}

func TestRecordingsOfAnAgentAreInItsDialect(t *testing.T) {
	c := catalogue(t, `"a": {"type": "process", "command": "x", "dialect": "native"}, "b": {"type": "process", "command": "x"}, "c": {"type": "ethos-web", "url": "http://x"}`)
	for name, want := range map[string]string{
		"ethos": "ethos", "agentao": "agentao", "awaken": "awaken", "glue": "glue", "agentb": "agentb", "agui": "agui", "aisdk": "aisdk", "acp": "acp",
		"workspace": "native", "a": "native", "b": "auto", "c": "ethos",
	} {
		got, err := c.Dialect(name)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}
	_, err := c.Dialect("nobody")
	require.Error(t, err)
}

func TestConfiguredAgentsTakePrecedenceOverCommonOnes(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	c := catalogue(t, `"claude": {"type": "acp", "command": "mine"}`)
	choice, err := c.Open(agents.Request{Name: "claude"})
	require.NoError(t, err)
	require.Equal(t, []string{"mine"}, choice.Relayed.Args)
	gemini, err := c.Open(agents.Request{Name: "gemini"})
	require.NoError(t, err)
	require.Equal(t, []string{"gemini", "--acp"}, gemini.Relayed.Args)
	require.Equal(t, "Gemini CLI", gemini.Relayed.Name)
	require.Equal(t, "gemini", gemini.Key)
	require.Contains(t, gemini.Relayed.Missing, "turnwire agents add gemini")
	other, err := c.Open(agents.Request{Name: "gemini", Command: []string{"/opt/gemini", "--acp", "--debug"}})
	require.NoError(t, err)
	require.Equal(t, []string{"/opt/gemini", "--acp", "--debug"}, other.Relayed.Args)
	require.Empty(t, other.Relayed.Missing)
}

func TestChoicesBeginWithTheUsersOwnAndOmitACP(t *testing.T) {
	var names []string
	for _, e := range catalogue(t, team).Choices() {
		names = append(names, e.Name)
	}
	require.Equal(t, append(append([]string{"team"}, commonNames()...), "ethos", "agentao", "awaken", "glue", "agentb", "agui", "aisdk", "workspace"), names)
}
