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
)

// configured returns an environment with this turnwire.json.
func configured(t *testing.T, text string) []string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "turnwire"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "turnwire", "turnwire.json"), []byte(text), 0o600))
	return []string{"XDG_CONFIG_HOME=" + dir}
}

// live lists a server's open sessions.
func (s *server) live() (all []struct {
	ID, Agent string
	Clients   []string
}) {
	s.t.Helper()
	var read []struct {
		SessionID, Agent string
		Clients          []string
	}
	require.NoError(s.t, json.Unmarshal([]byte(turnwire(s.t, "", "sessions", "live", "--json", "--socket", s.socket).stdout), &read))
	for _, one := range read {
		all = append(all, struct {
			ID, Agent string
			Clients   []string
		}{one.SessionID, one.Agent, one.Clients})
	}
	return all
}

func TestTheConfigurationNamesTheServer(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	s := serve(t, filepath.Join(t.TempDir(), "s.sock"))
	env := configured(t, `{"server": "`+s.socket+`"}`)
	open := func(args ...string) *editor {
		t.Helper()
		e := launch(t, options{args: args, env: env})
		require.Nil(t, e.answer(e.request("initialize", map[string]any{"protocolVersion": 1})).Error)
		return e
	}
	for i, args := range [][]string{{"acp"}, {}, {"acp", "--agent", "workspace"}} {
		e := open(args...)
		session := e.session(dir)
		require.Len(t, s.live(), i+1, "%v is a client of the server", args)
		require.Equal(t, "end_turn", e.stops(e.prompt(session, "/say hello")))
	}
	// The command line takes precedence.
	for _, args := range [][]string{{"acp", "--server=none"}, {"acp", "--no-journal"}, {"acp", "--agent", "acp", "--", binary, "acp", "--server=none"}} {
		e := open(args...)
		require.Equal(t, "end_turn", e.stops(e.prompt(e.session(dir), "/say hello")))
		require.Len(t, s.live(), 3, "%v has an agent of its own", args)
	}
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
	gone := launch(t, options{args: []string{"acp"}, env: env})
	m := gone.answer(gone.request("initialize", map[string]any{"protocolVersion": 1}))
	require.Contains(t, m.line, "no server is running")
}

func TestDoctorLooksAtTheServerOfTheConfiguration(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.has(".config/turnwire/turnwire.json", `{"server": "s.sock"}`)
	socket := filepath.Join(p.home, ".config", "turnwire", "s.sock")
	found, code := p.doctor()
	require.Equal(t, 1, code)
	require.Equal(t, "failed", found["server"].Status)
	require.Contains(t, found["server"].Detail, "no server is running")
	s := serve(t, socket)
	found, code = p.doctor()
	require.Zero(t, code, "%v", found)
	require.Equal(t, "ok", found["server"].Status)
	require.Contains(t, found["answer"].Detail, "ready")
	require.Len(t, s.live(), 1, "the turn goes the way of an editor's")
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
}

// A run is a client of a server, with its own session or with one that others
// use.
func TestARunUsesASessionOfAServer(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	s := serve(t, filepath.Join(t.TempDir(), "s.sock"))
	at := "--server=" + s.socket
	r := turnwire(t, "", "run", at, "-C", dir, "/say one")
	require.Zero(t, r.code, r.stderr)
	require.Contains(t, r.stdout, "one")
	require.Len(t, s.live(), 1)
	id := s.live()[0].ID

	e := s.attach()
	e.reload(id, dir)
	r = turnwire(t, "", "run", at, "--resume", id[:len(id)-2], "/say two")
	require.Zero(t, r.code, r.stderr)
	e.shows("user_message_chunk", "/say two")
	e.shows("agent_message_chunk", "two")
	r = turnwire(t, "", "run", at, "-C", dir, "--continue", "/say three")
	require.Zero(t, r.code, r.stderr)
	e.shows("agent_message_chunk", "three")
	require.Len(t, s.live(), 1)

	// No user can be asked here, so the options of the command answer.
	for _, c := range []struct {
		args []string
		ran  bool
	}{
		{[]string{"--deny"}, false},
		{[]string{"--yes"}, true},
		{[]string{"--allow", "execute:echo by-hand"}, true},
	} {
		r = turnwire(t, "", append(append([]string{"run", at, "-C", dir}, c.args...), "/run echo by-hand")...)
		require.Zero(t, r.code, r.stderr)
		require.Equal(t, c.ran, strings.Contains(r.stdout, "\n    by-hand"), "%v: %s", c.args, r.stdout)
	}
	written := turnwire(t, "", "audit").stdout
	require.Equal(t, 3, strings.Count(written, "\n"), "the server has written each down, once: %s", written)

	require.Equal(t, 2, turnwire(t, "", "run", at, "hello", "--", "cat").code)
	require.Equal(t, 2, turnwire(t, "", "run", at, "--no-journal", "hello").code)
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
	require.Equal(t, "turnwire: no server is running: start one with turnwire serve\n", turnwire(t, "", "run", at, "--resume", id, "hello").stderr)
	again := serve(t, s.socket)
	r = turnwire(t, "", "run", at, "--resume", id, "/say four")
	require.Zero(t, r.code, r.stderr)
	require.Equal(t, id, again.live()[0].ID)
	require.NoError(t, again.cmd.Process.Signal(syscall.SIGTERM))
	again.ended()
}

// The server's own agent can also be chosen by its name.
func TestTheAgentOfAServerIsFoundByItsName(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	s := serve(t, filepath.Join(t.TempDir(), "s.sock"), "--agent", "workspace")
	one := s.attach()
	session := one.session(t.TempDir())
	named := launch(t, options{args: []string{"acp", "--server=" + s.socket, "--agent", "workspace"}})
	require.Nil(t, named.answer(named.request("initialize", map[string]any{"protocolVersion": 1})).Error)
	named.reload(session, t.TempDir())
	require.Len(t, s.live(), 1)
	require.Len(t, s.live()[0].Clients, 2)
	r := turnwire(t, "", "run", "--server="+s.socket, "--agent", "ethos", "hello")
	require.Equal(t, 1, r.code)
	require.Contains(t, r.stderr, "unknown agent")
	require.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	s.ended()
}
