//go:build unix

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/consent"
)

// A household is a user with a policy: a configuration, a state folder, and a
// working folder.
type household struct{ config, state, work string }

// ruled creates a household with a policy. Its agent inner is another Turnwire,
// without a policy.
func ruled(t *testing.T, policy string) household {
	t.Helper()
	dir := t.TempDir()
	h := household{filepath.Join(dir, "config"), filepath.Join(dir, "state"), filepath.Join(dir, "work")}
	require.NoError(t, os.MkdirAll(filepath.Join(h.config, "turnwire"), 0o700))
	require.NoError(t, os.MkdirAll(h.work, 0o700))
	text := `{"policy": ` + policy + `, "agents": {"inner": {"type": "acp", "command": "` + binary + `", "args": ["acp"],
		"env": {"XDG_CONFIG_HOME": "/nobody", "XDG_STATE_HOME": "` + filepath.Join(dir, "inner") + `"}}}}`
	require.NoError(t, os.WriteFile(h.file(), []byte(text), 0o600))
	return h
}

func (h household) file() string { return filepath.Join(h.config, "turnwire", "turnwire.json") }

func (h household) env() []string {
	return []string{"XDG_CONFIG_HOME=" + h.config, "XDG_STATE_HOME=" + h.state}
}

// audit reads the household's audit log.
func (h household) audit(t *testing.T) (all []consent.Decision) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(h.state, "turnwire", "audit.jsonl"))
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		var d consent.Decision
		require.NoError(t, json.Unmarshal([]byte(line), &d), line)
		all = append(all, d)
	}
	return all
}

// wrote reports whether the agent wrote a file.
func (h household) wrote(name string) bool {
	_, err := os.Stat(filepath.Join(h.work, name))
	return err == nil
}

const someRules = `{"rules": [{"deny": "edit:**/.env"}, {"allow": "edit:src/**"}]}`

func TestAPolicyDecidesForAnEditor(t *testing.T) {
	for name, args := range map[string][]string{"events": {"acp"}, "an ACP agent": {"acp", "--agent", "inner"}} {
		t.Run(name, func(t *testing.T) {
			h := ruled(t, someRules)
			e := launch(t, options{args: args, env: h.env()})
			require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1, "clientInfo": map[string]string{"name": "test", "version": "1"}})).Error)
			session := e.session(h.work)
			require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write src/a.txt x")))
			require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write src/.env x")))
			for _, m := range e.messages {
				require.NotEqual(t, "session/request_permission", m.Method, m.line)
			}
			e.wait("decision", func(m message) bool { return strings.Contains(m.line, `"turnwire.dev/decision":{`) })
			require.True(t, h.wrote("src/a.txt"))
			require.False(t, h.wrote("src/.env"))

			last := e.prompt(session, "/write b.txt x")
			e.choose(e.awaitPermission(), "allow_once")
			require.Equal(t, "end_turn", e.stops(last))
			last = e.prompt(session, "/write c.txt x")
			e.awaitPermission()
			e.cancel(session)
			require.Equal(t, "cancelled", e.stops(last))
			e.cleanUp()

			var decisions []string
			for _, d := range h.audit(t) {
				require.Equal(t, session, d.Session)
				require.Equal(t, h.work, d.Cwd)
				require.Equal(t, "edit", d.Kind)
				inner, err := filepath.Rel(h.work, d.Paths[0])
				require.NoError(t, err)
				decisions = append(decisions, inner+" "+d.Option+" "+d.Sentence())
			}
			require.Equal(t, []string{
				"src/a.txt allow_once allowed by the rule allow edit:src/** (" + h.file() + ":1)",
				"src/.env reject_once denied by the rule deny edit:**/.env (" + h.file() + ":1)",
				"b.txt allow_once allowed by the user in test",
				"c.txt  not decided: the turn was cancelled or has ended",
			}, decisions)
			t.Setenv("XDG_STATE_HOME", h.state)
			require.Contains(t, turnwire(t, "", "sessions", "show", session).stdout, "denied by the rule deny edit:**/.env")
			require.Contains(t, turnwire(t, "", "sessions", "export", "--format", "json", session).stdout, `"type":"decision"`)
			printed := turnwire(t, "", "audit", "--session", session, "--last", "2")
			require.Zero(t, printed.code)
			require.Equal(t, 2, strings.Count(printed.stdout, "\n"), printed.stdout)
			require.Contains(t, printed.stdout, "edit by write_file b.txt: allowed by the user in test")
			require.Empty(t, turnwire(t, "", "audit", "--agent", "nobody").stdout)
		})
	}
}

func TestAFolderIsOnlyEverStricter(t *testing.T) {
	t.Parallel()
	h := ruled(t, `{"rules": [{"allow": "edit"}]}`)
	e := launch(t, options{env: h.env()})
	session := e.open(h.work)
	folder := filepath.Join(h.work, "turnwire.json")
	require.NoError(t, os.WriteFile(folder, []byte(`{"policy": {"rules": [{"deny": "edit:secret/**"}, {"ask": "edit:asked/**"}]}}`), 0o600))
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write a.txt x")))
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write secret/a.txt x")))
	require.True(t, h.wrote("a.txt"))
	require.False(t, h.wrote("secret/a.txt"))
	for _, policy := range []string{
		`{"policy": {"rules": [{"ask": "edit:asked/**"}]}}`,
		`{"policy": {"rules": [{"allow": "*"}]}}`, // a repository that tries to allow more is ignored as a whole
		`{"policy": `,
	} {
		require.NoError(t, os.WriteFile(folder, []byte(policy), 0o600))
		last := e.prompt(session, "/write asked/a.txt x")
		e.choose(e.awaitPermission(), "reject_once")
		require.Equal(t, "end_turn", e.stops(last))
		require.False(t, h.wrote("asked/a.txt"))
	}
}

func TestAServerKnowsWhoHasAnswered(t *testing.T) {
	h := ruled(t, someRules)
	client := t.TempDir()
	t.Setenv("XDG_STATE_HOME", h.state)
	token := filepath.Join(t.TempDir(), "token")
	made := turnwire(t, "", "token", "create", "laptop")
	require.NoError(t, os.WriteFile(token, []byte(made.stdout), 0o600))
	s, urls := serveAt(t, "--auth", "token", "--agent", "inner", "--config", h.file())
	t.Setenv("XDG_STATE_HOME", client) // of another machine
	for i, url := range urls {
		for name, write := range map[string]bool{"src/a": true, "src/.env": false, "b": true} {
			require.NoError(t, os.RemoveAll(filepath.Join(h.work, name)))
			r := turnwire(t, "", "run", "--agent", "acp", "--url", url, "--token-file", token, "--cwd", h.work, "--yes", "/write "+name+" x")
			require.Zero(t, r.code, r.stderr)
			require.Equal(t, write, h.wrote(name), name)
			require.Equal(t, !write, strings.Contains(r.stdout, "denied by a rule"), "%s: %s%s", name, r.stderr, r.stdout)
		}
		byUser := 0
		for _, d := range h.audit(t)[i*3:] {
			require.Equal(t, "inner", d.Agent)
			if d.By != consent.ByUser {
				require.Nil(t, d.Client)
				continue
			}
			byUser++
			require.Equal(t, filepath.Join(h.work, "b"), d.Paths[0])
			require.Equal(t, "laptop", d.Client.Token)
			require.NotEmpty(t, d.Client.Name)
			require.NotEmpty(t, d.Client.ID)
			require.Contains(t, d.Client.Remote, "127.0.0.1")
			require.Equal(t, map[bool]string{true: "websocket", false: "http"}[strings.HasPrefix(url, "ws")], d.Client.Transport)
		}
		require.Equal(t, 1, byUser)
	}
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
}

func TestTheRulesOfTheCommandLineComeFirst(t *testing.T) {
	h := ruled(t, `{"rules": [{"deny": "edit:src/**"}, {"allow": "edit"}]}`)
	file := filepath.Join(t.TempDir(), "ci.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"rules": [{"deny": "edit:no/**"}], "default": "deny"}`), 0o600))
	for _, c := range []struct {
		name  string
		args  []string
		wrote bool
	}{
		{"a", nil, true},
		{"src/a", nil, false},
		{"src/b", []string{"--allow", "edit:src/**"}, true},
		{"no/a", []string{"--policy", file, "--allow", "edit"}, false},
		{"c", []string{"--policy", file, "--allow", "edit:c"}, true},
		{"d", []string{"--policy", file, "--allow", "edit:c"}, false},
	} {
		t.Setenv("XDG_STATE_HOME", h.state)
		args := append([]string{"run", "--agent", "inner", "--config", h.file(), "--quiet", "--cwd", h.work}, c.args...)
		r := turnwire(t, "", append(args, "/write "+c.name+" x")...)
		require.Zero(t, r.code, r.stderr)
		require.Equal(t, c.wrote, h.wrote(c.name), "%s: %s", c.name, r.stderr)
		require.Equal(t, !c.wrote, strings.Contains(r.stderr, "denied by a rule: Write "+c.name), r.stderr)
	}
}

func TestAnUnwritableAuditLogStopsAndPermitsNothing(t *testing.T) {
	t.Parallel()
	h := ruled(t, someRules)
	require.NoError(t, os.MkdirAll(filepath.Join(h.state, "turnwire", "audit.jsonl"), 0o700))
	log := filepath.Join(t.TempDir(), "log")
	e := launch(t, options{args: []string{"acp", "--log-file", log}, env: h.env()})
	session := e.open(h.work)
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write src/a.txt x")))
	require.Equal(t, "end_turn", e.stops(e.prompt(session, "/write src/.env x")))
	e.cleanUp()
	require.True(t, h.wrote("src/a.txt"))
	require.False(t, h.wrote("src/.env"))
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "the audit log is missing decisions"), string(text))
}

func TestThePolicyCommandNamesTheDecidingRule(t *testing.T) {
	t.Parallel()
	h := ruled(t, someRules)
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--kind", "edit", "--path", "src/a"}, 0, "allow\n  by the rule allow edit:src/** (" + h.file() + ":1)\nrules that did not match:\n  deny edit:**/.env (" + h.file() + ":1): no path matches the pattern\n"},
		{[]string{"--kind", "edit", "--path", "src/a", "--path", ".env"}, 3, "deny\n  by the rule deny edit:**/.env"},
		{[]string{"--kind", "edit"}, 4, "ask\n  no rule matches: this is the default"},
		{[]string{"--command", "go test ./..."}, 4, "the kind is execute"},
		{[]string{"--kind", "eidt"}, 2, ""},
		{[]string{"--kind", "edit", "--policy", filepath.Join(h.work, "none")}, 1, ""},
	} {
		r := turnwire(t, "", append([]string{"policy", "test", "--config", h.file(), "--dir", h.work}, c.args...)...)
		require.Equal(t, c.code, r.code, "%v: %s", c.args, r.stderr)
		require.Contains(t, r.stdout, c.want)
	}
	file := filepath.Join(h.work, "p.json")
	require.NoError(t, os.WriteFile(file, []byte(someRules), 0o600))
	require.Equal(t, file+" is valid: rules: 2\n", turnwire(t, "", "policy", "check", file).stdout)
	require.Equal(t, 1, turnwire(t, "", "policy", "check", h.file()).code)
}
