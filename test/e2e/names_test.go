//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// configure writes a configuration with agents and returns its path.
func configure(t *testing.T, dir, agents string) string {
	t.Helper()
	path := filepath.Join(dir, "turnwire.json")
	require.NoError(t, os.WriteFile(path, []byte("{\n\"agents\": {\n"+agents+"\n}\n}"), 0o600))
	return path
}

// shell returns an agent that is a shell script.
func shell(t *testing.T, name, script, more string) string {
	t.Helper()
	quoted, err := json.Marshal(script)
	require.NoError(t, err)
	return fmt.Sprintf(`%q: {"type": "process", "command": "sh", "args": ["-c", %s]%s}`, name, quoted, more)
}

func TestAConfiguredAgentUsesTheUsersToolDescriptions(t *testing.T) {
	t.Parallel()
	file := configure(t, t.TempDir(), shell(t, "mine", `
		while read -r prompt; do
			printf '{"type":"tool_start","toolCallId":"a","toolName":"frob","args":{"what":"it"},"title":"frob()"}\n'
			printf '{"type":"tool_end","toolCallId":"a","ok":true}\n{"type":"done","text":"%s"}\n' "$WHO"
		done`, `, "env": {"WHO": "I am ${E2E_NAME}"}, "tools": {"frob": {"kind": "edit", "verb": "Frobnicate", "subject": "what"}}`))
	e := launch(t, options{args: []string{"acp", "--agent", "mine", "--config", file}, env: []string{"E2E_NAME=mine"}})
	require.Equal(t, "end_turn", e.stops(e.prompt(e.open(t.TempDir()), "hello")))
	require.Equal(t, "I am mine", e.text())
	call := e.wait("a call", func(m message) bool { return m.Params.Update.Kind == "tool_call" })
	require.Contains(t, call.line, `"title":"Frobnicate it"`)
	require.Contains(t, call.line, `"kind":"edit"`)
}

func TestSilentAgentsTimeOutAndTheNextPromptWorks(t *testing.T) {
	t.Parallel() // the second start must be within the limit, however slow the machine is
	file := configure(t, t.TempDir(), shell(t, "mute", `
		if mkdir "$STARTED"; then cat > /dev/null; fi
		while read -r prompt; do printf '{"type":"done","text":"again"}\n'; done`,
		fmt.Sprintf(`, "env": {"STARTED": %q}, "startTimeout": "15s", "prompt": {}`, filepath.Join(t.TempDir(), "started"))))
	e := launch(t, options{args: []string{"acp", "--agent", "mute", "--config", file}})
	s := e.open(t.TempDir())
	m := e.answer(e.prompt(s, "hello"))
	require.NotNil(t, m.Error)
	require.Equal(t, "agent_start_timeout", m.Error.Data.Code)
	require.Contains(t, m.Error.Data.Details, "startTimeout")
	require.Equal(t, "end_turn", e.stops(e.prompt(s, "hello again")))
	require.Contains(t, e.text(), "it does not remember the conversation.\n\nagain")
}

func TestOnlyTheServerGetsItsHeaders(t *testing.T) {
	t.Parallel()
	got := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Authorization")
		w.WriteHeader(http.StatusUnauthorized)
	}))
	defer server.Close()
	log := filepath.Join(t.TempDir(), "log")
	e := launch(t, options{
		args: []string{"acp", "--agent", "agentb", "--url", server.URL, "--header", "Authorization: Bearer $E2E_TOKEN", "--log-file", log, "--log-level", "debug"},
		env:  []string{"E2E_TOKEN=" + envSecret},
	})
	m := e.answer(e.prompt(e.open(t.TempDir()), "hello"))
	require.Equal(t, "Bearer "+envSecret, <-got)
	require.NotNil(t, m.Error)
	require.Contains(t, m.Error.Data.Details, "401")
	require.Contains(t, m.Error.Data.Details, server.URL)
	require.NotContains(t, m.line, envSecret)
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.NotEmpty(t, text)
	require.NotContains(t, string(text), envSecret)
}

func TestAProjectAddsNamesButCannotReplaceOthers(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	configure(t, project, shell(t, "ours", `read -r prompt; printf '{"type":"done","text":"ours"}\n'`, ""))
	r := turnwire(t, "", "run", "--agent", "ours", "--cwd", project, "hello")
	require.Zero(t, r.code, r.stderr)
	require.Contains(t, r.stdout, "ours")

	trap := filepath.Join(project, "trap")
	file := configure(t, project, shell(t, "ethos", "touch "+trap, ""))
	r = turnwire(t, "", "run", "--agent", "ethos", "--cwd", project, "hello")
	require.Equal(t, 1, r.code)
	require.Equal(t, "turnwire: "+file+":3: agents.ethos: a project cannot redefine the built-in agent ethos; choose another name\n", r.stderr)
	require.NoFileExists(t, trap)
}

func TestAgentsAreListedWithWhetherTheyCanBeReached(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	file := configure(t, t.TempDir(), fmt.Sprintf(`
		"gone": {"type": "acp", "command": "no-such-program", "title": "Gone \u001b[31m"},
		"here": {"type": "awaken", "url": %q, "headers": {"X": "$NOT_SET"}}`, server.URL))
	r := turnwire(t, "", "agents", "--config", file)
	require.Zero(t, r.code, r.stderr)
	require.Regexp(t, `(?m)^workspace +embedded +yes: built in +the embedded agent`, r.stdout)
	require.Regexp(t, `(?m)^awaken +--url URL +\?: needs --url +Awaken$`, r.stdout)
	require.Regexp(t, `(?m)^gone +no-such-program +no: no-such-program is not in PATH +Gone �\[31m \(`, r.stdout)
	require.Regexp(t, `(?m)^here +`+server.URL+` +yes: it responds`, r.stdout)

	r = turnwire(t, "", "agents", "--json", "--config", file)
	require.Zero(t, r.code)
	var list []struct {
		Name, Type, Source, How, Detail string
		Reachable                       *bool
	}
	require.NoError(t, json.Unmarshal([]byte(r.stdout), &list))
	require.Equal(t, "gone", list[0].Name)
	require.Equal(t, file, list[0].Source)
	require.False(t, *list[0].Reachable)
	require.Equal(t, "here", list[1].Name)
	last := list[len(list)-8:]
	require.Equal(t, "ethos", last[0].Name)
	require.Equal(t, "built in", last[0].Source)
	require.Nil(t, last[2].Reachable, "a server needs an address")
	require.Equal(t, "workspace", last[7].Name)
	for _, l := range list {
		require.NotEqual(t, "acp", l.Name, "it is no agent without a command")
	}
}

func TestAServerThatAProjectNamesIsListedButNotAsked(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	p := newUser(t)
	require.NoError(t, os.WriteFile(filepath.Join(p.work, "turnwire.json"), []byte(`{"agents": {"theirs": {"type": "awaken", "url": "`+server.URL+`"}}}`), 0o600))
	r := p.run("agents")
	require.Zero(t, r.code, r.stderr)
	require.Regexp(t, `(?m)^theirs +`+server.URL+` +\?: not checked because only a project's file names this address `, r.stdout)
	require.Zero(t, asked.Load())

	p.run("run", "--agent", "theirs", "hello")
	require.NotZero(t, asked.Load(), "it is chosen now")
}

func TestARecordingOfANamedAgentIsReplayedInItsDialect(t *testing.T) {
	t.Parallel()
	recording := filepath.Join(t.TempDir(), "stream.sse")
	require.NoError(t, os.WriteFile(recording, []byte(": recorded\n\ndata: {\"type\":\"text_delta\",\"text\":\"framed\"}\n\ndata: {\"type\":\"done\",\"text\":\"\"}\n\n"), 0o600))
	r := turnwire(t, "", "run", "--agent", "workspace", "--replay", recording, "hello")
	require.Zero(t, r.code, r.stderr)
	require.Contains(t, r.stdout, "framed")
}

// An agent has one name in every client: its own, else the configured one, else the
// program's.
func TestEveryClientNamesAnAgentTheSame(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	const prints = `printf '{"type":"agent_info","name":"Tea Maker"}\n'; cat > /dev/null`
	env := append(configured(t, `{"agents": {`+
		shell(t, "introduced", prints, `, "title": "Ignored"`)+`,`+
		shell(t, "titled", "cat > /dev/null", `, "title": "My Agent", "greetTimeout": "1ms"`)+`,`+
		shell(t, "named", "cat > /dev/null", `, "greetTimeout": "1ms"`)+`}}`), "XDG_CACHE_HOME="+t.TempDir())
	names := map[string]string{"introduced": "Tea Maker", "titled": "My Agent", "named": "named", "": "sh", "workspace": "Turnwire Workspace"}
	for name, title := range names {
		args := []string{"acp", "--agent", name}
		if name == "" {
			args = []string{"acp", "--", "sh", "-c", "cat > /dev/null"}
		}
		e := launch(t, options{args: args, env: env})
		require.Contains(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).line, fmt.Sprintf(`"title":%q`, title))
	}
	served := func(command ...string) string {
		t.Helper()
		s, url := hostAny(t, filepath.Join(t.TempDir(), "s.sock"), env, command...)
		m := mirrors(t, url)
		m.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"channel":"ahp-root://","protocolVersions":["0.9.0"],"clientId":"one","initialSubscriptions":["ahp-root://"]}}`)
		root := m.expect(`"id":1,`)
		require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
		s.ended()
		return root
	}
	program, all := served("--", "sh", "-c", "cat > /dev/null"), served()
	for name, title := range names {
		root := all
		if name == "" {
			root = program
		}
		require.Contains(t, root, fmt.Sprintf(`"displayName":%q`, title))
	}
}
