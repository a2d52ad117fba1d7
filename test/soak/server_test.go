//go:build unix

package soak

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/test/badnet"
)

// A server is a running "turnwire serve" behind a proxy.
type server struct {
	cmd               *exec.Cmd
	environment       []string
	far               []string // the environment of another machine with a token
	records           string   // the folder with the agents' records
	state             string   // the folder with the server's journal
	token, watchToken string
	address, socket   string // without the proxy
	proxied           string // the proxy's address, and its socket
	proxiedSocket     string
	proxies           []*badnet.Proxy
	trace             *trace // of the runtime
}

// logName is the name of the server's log.
const logName = "log"

// explain shows what of a server's log may explain why a law was broken.
func explain(t *testing.T, log string) {
	t.Helper()
	text, err := os.ReadFile(log)
	require.NoError(t, err)
	shown := 0
	for line := range strings.Lines(string(text)) {
		if shown < 200 && !strings.Contains(line, "level=INFO") || strings.Contains(line, "missing") {
			t.Log(strings.TrimSpace(line))
			shown++
		}
	}
}

// serve starts a server and the proxies.
func serve(t *testing.T, seed uint64) *server {
	t.Helper()
	dir, err := os.MkdirTemp("", "soak") //nolint:usetesting // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Cleanup(func() {
		if t.Failed() {
			explain(t, filepath.Join(dir, logName))
		}
	})
	s := &server{records: filepath.Join(dir, "records"), state: filepath.Join(dir, "STATE_HOME"), environment: os.Environ(), trace: new(trace)}
	for _, name := range []string{"STATE_HOME", "CONFIG_HOME", "CACHE_HOME", "RUNTIME_DIR", "FAR_HOME"} {
		s.environment = append(s.environment, "XDG_"+name+"="+filepath.Join(dir, name))
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	require.NoError(t, os.Mkdir(s.records, 0o700))
	s.token, s.watchToken = s.newToken(t, "soak"), s.newToken(t, "wall", "--watch")
	s.far = append(slices.Clone(s.environment), "XDG_STATE_HOME="+filepath.Join(dir, "FAR_HOME"), "TURNWIRE_TOKEN="+s.token)
	self, err := os.Executable()
	require.NoError(t, err)
	s.socket = filepath.Join(dir, "s.sock")
	s.cmd = exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--socket", s.socket, "--auth", "token", "--max-connections", "1000",
		"--max-sessions", "10000", "--log-file", filepath.Join(dir, logName), "--", self, agentArgument, s.records)
	s.cmd.Env, s.cmd.Dir = s.environment, dir
	if *duration > 0 {
		s.cmd.Env = append(slices.Clone(s.environment), traced)
	}
	stderr, err := s.cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewScanner(stderr)
	for s.address == "" && lines.Scan() {
		s.address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	require.NotEmpty(t, s.address, "the server does not listen")
	go func() {
		for lines.Scan() {
			if !s.trace.add(lines.Text()) {
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
	}()

	s.proxiedSocket = filepath.Join(dir, "p.sock")
	s.proxied = s.proxy(t, seed, "tcp", "127.0.0.1:0", s.address)
	s.proxy(t, seed+1, "unix", s.proxiedSocket, s.socket)
	return s
}

// proxy puts a proxy in front of an address, and returns its own.
func (s *server) proxy(t *testing.T, seed uint64, network, at, to string) string {
	t.Helper()
	l, err := net.Listen(network, at)
	require.NoError(t, err)
	p := badnet.NewProxy(seed)
	p.To(func() (net.Conn, error) {
		c, err := net.Dial(network, to)
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(32 << 10) // a broken network doesn't hold megabytes
		}
		return c, err
	})
	p.Serve(l)
	t.Cleanup(p.Close)
	s.proxies = append(s.proxies, p)
	return l.Addr().String()
}

func (s *server) newToken(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"token", "create"}, args...)...)
	cmd.Env = s.environment
	out, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
