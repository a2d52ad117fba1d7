package config_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

const example = `{
  // Comments are welcome, and so are trailing commas.
  "$schema": "https://example.org/config.schema.json",
  "agents": {
    "mine": {
      "type": "process",
      "command": "python3",
      "args": ["agent.py"],
      "env": {"TOKEN": "$MY_TOKEN", "PRICE": "5$$"},
      "dialect": "native",
      "tools": {"frobnicate": {"kind": "edit", "verb": "Frob", "subject": "file", "path": "file"}},
      "startTimeout": "10s",
      "idleTimeout": "2m30s", /* long */
    },
    "team": {"type": "awaken", "url": "https://awaken.example.org", "headers": {"Authorization": "Bearer ${TEAM}"}, "agentId": "coder"},
  },
}
`

func TestAFileIsReadWithCommentsAndTrailingCommas(t *testing.T) {
	f, err := config.Parse("turnwire.json", []byte(example))
	require.NoError(t, err)
	require.Len(t, f.Agents, 2)
	mine := f.Agents["mine"]
	require.Equal(t, "python3", mine.Command)
	require.Equal(t, []string{"agent.py"}, mine.Args)
	require.Equal(t, config.Duration(150*time.Second), mine.IdleTimeout)
	require.Equal(t, config.Tool{Kind: "edit", Verb: "Frob", Subject: "file", Path: "file"}, mine.Tools["frobnicate"])
	require.Equal(t, "turnwire.json", mine.File())
	require.Equal(t, "coder", f.Agents["team"].AgentID)
}

func TestInvalidFilesAreErrorsWithTheirPosition(t *testing.T) {
	agent := func(members string) string { return "{\n\"agents\": {\n\"mine\": {" + members + "}}}" }
	process := func(members string) string {
		return agent("\"type\": \"process\",\n\"command\": \"x\",\n" + members)
	}
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":         {"{\n\"agents\": }", "f.json:2: invalid JSON (column 11)"},
		"nothing":         {"", "f.json:1: invalid JSON (column 1)"},
		"a secret cut":    {"{\"agents\":\n\"hush", "f.json:2: invalid JSON (column 6)"},
		"a list":          {"[]", "f.json:1: must be an object"},
		"an unknown key":  {"{\n\n\"agent\": {}}", "f.json:3: agent: unknown key; did you mean agents?"},
		"a mistyped key":  {process(`"comand": "y"`), "f.json:5: agents.mine.comand: unknown key; did you mean command?"},
		"Agents":          {"{\n\"Agents\": {}}", "f.json:2: Agents: unknown key; did you mean agents?"},
		"another case":    {process(`"Args": []`), "f.json:5: agents.mine.Args: unknown key; did you mean args?"},
		"a key twice":     {process(`"command": "y"`), "f.json:5: agents.mine.command: the key appears twice"},
		"no string":       {process(`"title": 5`), "f.json:5: agents.mine.title: must be a string"},
		"null":            {process(`"title": null`), "f.json:5: agents.mine.title: must be a string"},
		"no list":         {process(`"args": "a b"`), "f.json:5: agents.mine.args: must be a list of strings"},
		"no object":       {process(`"env": []`), "f.json:5: agents.mine.env: must be an object"},
		"no time":         {process(`"idleTimeout": 30`), `f.json:5: agents.mine.idleTimeout: must be a time such as "30s" or "1m30s"`},
		"no time at all":  {process(`"idleTimeout": "0s"`), `f.json:5: agents.mine.idleTimeout: must be a time such as "30s" or "1m30s"`},
		"of another type": {process(`"url": "http://x"`), "f.json:5: agents.mine.url: unknown key for an agent of the type process"},
		"a dialect":       {process(`"dialect": "nativ"`), "did you mean native?"},
		"a tool's kind":   {process("\"tools\": {\n\"x\": {\"kind\": \"reed\"}}"), "f.json:6: agents.mine.tools.x.kind: must be one of read, edit, "},
		"a tool's key":    {process("\"tools\": {\n\"x\": {\"knd\": \"read\"}}"), "f.json:6: agents.mine.tools.x.knd: unknown key; did you mean kind?"},
		"a variable":      {process(`"env": {"A=B": "x"}`), "f.json:5: agents.mine.env.A=B: not a valid environment variable name"},
		"no type":         {agent(`"command": "x"`), "f.json:3: agents.mine: type is missing; use one of process, acp, "},
		"a mistyped type": {agent(`"type": "prozess"`), "f.json:3: agents.mine.type: must be one of process, acp, acp-remote, ethos, ethos-web, agentao, awaken, agentb, agui, glue, aisdk, claude; did you mean process?"},
		"no command":      {agent(`"type": "acp"`), "f.json:3: agents.mine: missing key command, required by the type acp"},
		"no URL":          {agent(`"type": "awaken"`), "f.json:3: agents.mine: missing key url, required by the type awaken"},
		"another scheme":  {agent(`"type": "awaken", "url": "ftp://u:hush@x"`), "f.json:3: agents.mine.url: must begin with http:// or https:// and a host"},
		"a header":        {agent(`"type": "awaken", "url": "http://x", "headers": {"A B": "x"}`), "f.json:3: agents.mine.headers.A B: not a valid header name"},
		"a name":          {strings.Replace(process(""), "mine", "My Agent", 1), "f.json:3: agents.My Agent: a name has at most 64 lower-case letters"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := config.Parse("f.json", []byte(c.text))
			require.ErrorContains(t, err, c.want)
			var where *config.Error
			require.ErrorAs(t, err, &where)
			require.NotContains(t, err.Error(), "hush", "what stands there may be a secret")
		})
	}
}

func TestEveryTypeHasOnlyMembersThatExist(t *testing.T) {
	for _, kind := range config.Types() {
		require.NotEmpty(t, kind.Doc)
		for _, name := range append(kind.Required, kind.Optional...) {
			require.Contains(t, memberNames(), name, kind.Name)
		}
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	f, err := config.Parse("f", []byte(`{"agents": {"a": {"type": "awaken", "url": "http://x", "headers": {"X": "hush"}}}}`))
	require.NoError(t, err)
	a := f.Agents["a"]
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("agent", "headers", a.Headers, "one", a.Headers["X"])
	for _, shown := range []string{fmt.Sprintf("%v %+v %#v %s", a, a, a, a.Headers["X"]), log.String()} {
		require.Contains(t, shown, "[secret]")
		require.NotContains(t, shown, "hush")
	}
}

func TestSecretsNameVariablesOfTheEnvironment(t *testing.T) {
	environment := map[string]string{"TOKEN": "abc", "EMPTY": "", "BROKEN": "a\nb"}
	lookup := func(name string) (string, bool) {
		value, ok := environment[name]
		return value, ok
	}
	for text, want := range map[config.Secret]string{
		"plain":            "plain",
		"$TOKEN":           "abc",
		"Bearer ${TOKEN}!": "Bearer abc!",
		"env:TOKEN":        "abc",
		"x env:TOKEN":      "x env:TOKEN",
		"$EMPTY":           "",
		"5$$ and $5":       "5$ and $5",
		"$$TOKEN":          "$TOKEN",
	} {
		got, err := text.Resolve(lookup)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err := config.Secret("hush $TOKEN $MISSING").Resolve(lookup)
	require.EqualError(t, err, "the environment variable MISSING is not set (write $$ for a dollar sign)")
	_, err = config.Secret("$BROKEN").Resolve(lookup)
	require.EqualError(t, err, "its value contains a line break")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(example))
	f.Add([]byte(`{"agents": {"a": {"type": "glue"}, "a": null}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := config.Parse("f", text); err != nil {
			var where *config.Error
			require.ErrorAs(t, err, &where)
			require.LessOrEqual(t, where.Line, 1+strings.Count(string(text), "\n"))
		}
	})
}
