//go:build unix

package nats

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	nats "github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"
	"github.com/turnwire/turnwire/bridge/journal/natsstore"
)

// programLease is the lease of the servers that are programs.
const programLease = 3 * time.Second

// A natsProgram is a server of NATS that is a program of its own.
type natsProgram struct {
	t    *testing.T
	dir  string
	port int
	cmd  *exec.Cmd
}

// runNATS starts one, in which the store is made with a short lease.
func runNATS(t *testing.T) *natsProgram {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	n := &natsProgram{t: t, dir: t.TempDir(), port: l.Addr().(*net.TCPAddr).Port}
	require.NoError(t, l.Close())
	n.start()
	t.Cleanup(n.kill)
	s, err := natsstore.Open(t.Context(), natsstore.Config{URL: n.url(), Lease: programLease})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return n
}

func (n *natsProgram) url() string { return fmt.Sprintf("nats://127.0.0.1:%d", n.port) }

func (n *natsProgram) start() {
	n.t.Helper()
	n.cmd = exec.Command(natsBinary, "-a", "127.0.0.1", "-p", strconv.Itoa(n.port), "-js", "-sd", n.dir)
	require.NoError(n.t, n.cmd.Start())
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

// kill is kill -9.
func (n *natsProgram) kill() {
	_ = n.cmd.Process.Kill()
	_ = n.cmd.Wait()
}

// A machine is a turnwire serve.
type machine struct {
	t         *testing.T
	name      string
	url       string
	decisions string // the file of the agents' decisions
	cmd       *exec.Cmd
}

// serve starts a server whose sessions are in a store, and whose agents are processes.
func serve(t *testing.T, name, store, cwd string) *machine {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return serveWith(t, name, cwd, "--store", store, "--max-connections", "1000", "--max-sessions", "10000", "--", self)
}

// serveWith starts a server with options.
func serveWith(t *testing.T, name, cwd string, args ...string) *machine {
	t.Helper()
	m := &machine{t: t, name: name, decisions: filepath.Join(t.TempDir(), "decisions")}
	m.cmd = exec.Command(turnwireBinary, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
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

// kill is kill -9.
func (m *machine) kill() {
	_ = m.cmd.Process.Kill()
	_ = m.cmd.Wait()
}

// stop is the end that is told.
func (m *machine) stop() {
	m.t.Helper()
	require.NoError(m.t, m.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(m.t, m.cmd.Wait())
}

// decided are the decisions that agents of the server got.
func (m *machine) decided() []string {
	m.t.Helper()
	text, err := os.ReadFile(m.decisions)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(m.t, err)
	return strings.Fields(string(text))
}
