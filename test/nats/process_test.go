//go:build unix

package nats

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	nats "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/internal/bridge/journal/natsstore"
)

// A natsProgram is a NATS server process. Clients connect through a proxy, so
// that its address survives a restart.
type natsProgram struct {
	t     *testing.T
	dir   string
	proxy *proxy
	cmd   *exec.Cmd
}

// runNATS starts a NATS server in which no lease expires during a test, however
// slow the machine is. Instead, a test kills a server and then expires its
// leases with [natsProgram.expireLeasesOf].
func runNATS(t *testing.T) *natsProgram {
	t.Helper()
	return runNATSWith(t, time.Hour)
}

func runNATSWith(t *testing.T, lease time.Duration) *natsProgram {
	t.Helper()
	n := &natsProgram{t: t, dir: t.TempDir(), proxy: newProxy(t, "")}
	n.start()
	t.Cleanup(n.kill)
	n.createStore(lease)
	return n
}

// createStore creates the store's buckets.
func (n *natsProgram) createStore(lease time.Duration) {
	n.t.Helper()
	s, err := natsstore.Open(n.t.Context(), natsstore.Config{URL: n.url(), Lease: lease})
	require.NoError(n.t, err)
	require.NoError(n.t, s.Close())
}

func (n *natsProgram) url() string { return n.proxy.url() }

// start starts the server at a port that it chooses.
func (n *natsProgram) start() {
	n.t.Helper()
	ports := n.t.TempDir()
	n.cmd = exec.Command(natsBinary, "-a", "127.0.0.1", "-p", "-1", "--ports_file_dir", ports, "-js", "-sd", n.dir)
	require.NoError(n.t, n.cmd.Start())
	var chosen struct {
		NATS []string `json:"nats"`
	}
	require.Eventually(n.t, func() bool {
		files, err := filepath.Glob(filepath.Join(ports, "*.ports"))
		if err != nil || len(files) == 0 {
			return false
		}
		text, err := os.ReadFile(files[0])
		return err == nil && json.Unmarshal(text, &chosen) == nil && len(chosen.NATS) > 0
	}, deadline, 20*time.Millisecond)
	n.proxy.retarget(strings.TrimPrefix(chosen.NATS[0], "nats://"))
	require.Eventually(n.t, func() bool {
		c, err := nats.Connect(n.url())
		if err != nil {
			return false
		}
		defer c.Close()
		js, err := c.JetStream()
		if err != nil {
			return false
		}
		_, err = js.AccountInfo()
		return err == nil
	}, deadline, 20*time.Millisecond)
}

// expireLeasesOf expires the leases of a server that is dead or cut off.
func (n *natsProgram) expireLeasesOf(m *machine) {
	n.t.Helper()
	expire(n.t, n.url(), fmt.Sprintf("process %d ", m.cmd.Process.Pid))
}

// kill kills the process with SIGKILL.
func (n *natsProgram) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// A machine is a turnwire serve process.
type machine struct {
	t         *testing.T
	name      string
	url       string
	decisions string // the file with the agents' decisions
	cmd       *exec.Cmd
}

// serve starts a server whose sessions are in a store, and whose agents are
// processes.
func serve(t *testing.T, name, store, cwd string) *machine {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return serveWith(t, name, cwd, "--store", store, "--max-connections", "1000", "--max-sessions", "10000", "--", self)
}

// serveWith starts a server with options.
func serveWith(t *testing.T, name, cwd string, args ...string) *machine {
	t.Helper()
	dir := t.TempDir()
	m := &machine{t: t, name: name, decisions: filepath.Join(dir, "decisions")}
	log := filepath.Join(dir, "log")
	t.Cleanup(func() { showEnd(t, name, log) })
	m.cmd = exec.Command(turnwireBinary, append([]string{"serve", "--listen", "127.0.0.1:0", "--log-file", log, "--log-level", "debug"}, args...)...)
	m.cmd.Env = append(os.Environ(), "TURNWIRE_TEST_AGENT=1", "TURNWIRE_TEST_DECISIONS="+m.decisions,
		"XDG_STATE_HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	m.cmd.Dir = cwd
	stderr, err := m.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, m.cmd.Start())
	t.Cleanup(m.kill)
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), " at ")
	require.True(t, ok, line)
	m.url, _, _ = strings.Cut(url, " and ")
	go func() { _, _ = io.Copy(io.Discard, lines) }()
	return m
}

// showEnd shows the end of a server's log if the test has failed.
func showEnd(t *testing.T, name, log string) {
	if !t.Failed() {
		return
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Error(err)
	}
	t.Logf("the server %s:\n%s", name, text[max(0, len(text)-maxShown):])
}

// maxShown bounds the part of a log that is shown, in bytes.
const maxShown = 8 << 10

// kill kills the process with SIGKILL.
func (m *machine) kill() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// stop stops the server in an orderly way.
func (m *machine) stop() {
	m.t.Helper()
	require.NoError(m.t, m.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(m.t, m.cmd.Wait())
}

// decided returns the decisions that the server's agents received.
func (m *machine) decided() []string {
	m.t.Helper()
	text, err := os.ReadFile(m.decisions)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(m.t, err)
	return strings.Fields(string(text))
}
