//go:build unix

package e2e

import (
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// With --tls auto, a client that trusts the server's authority can connect, and others
// can't. The authority stays the same after a restart.
func TestAServerWithALocalAuthority(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	s, urls := serveAt(t, "--tls", "auto")
	require.Regexp(t, `^wss://localhost:\d+/acp$`, urls[0])
	require.Regexp(t, `^https://localhost:\d+/acp$`, urls[1])

	anyone := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} // as a browser after its warning
	get := func(path string) []byte {
		r, err := anyone.Get(strings.TrimSuffix(urls[1], "/acp") + path)
		require.NoError(t, err)
		defer r.Body.Close() //nolint:errcheck // it was read
		text, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, r.StatusCode)
		return text
	}
	shown := regexp.MustCompile(`([0-9A-F]{2}:){31}[0-9A-F]{2}`).FindString(string(get("/trust")))
	require.NotEmpty(t, shown)
	before := get("/trust/turnwire-ca.crt")

	stranger := turnwire(t, "", "run", "--agent", "acp", "--url", urls[0], "/say hello")
	require.NotZero(t, stranger.code)
	require.Contains(t, stranger.stderr, "certificate")
	if runtime.GOOS == "linux" { // elsewhere, Go asks the system
		t.Setenv("SSL_CERT_FILE", filepath.Join(state, "turnwire", "tls", "ca.pem"))
		for _, url := range urls {
			friend := turnwire(t, "", "run", "--agent", "acp", "--url", url, "/say hello")
			require.Zero(t, friend.code, friend.stderr)
			require.Contains(t, friend.stdout, "hello")
		}
	}
	require.NoError(t, s.cmd.Process.Signal(os.Interrupt))
	s.ended()
	_, urls = serveAt(t, "--tls", "auto")
	require.Equal(t, before, get("/trust/turnwire-ca.crt"))
}

func TestMisuseOfALocalAuthority(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--listen", "localhost:0", "--tls", "on"}, `--tls "on": must be auto`},
		{[]string{"--tls", "auto"}, "--tls needs --listen"},
		{[]string{"--listen", "localhost:0", "--tls", "auto", "--tls-cert", "a", "--tls-key", "b"}, "--tls and --tls-cert cannot be used together"},
		{[]string{"--listen", "localhost:0", "--tls", "auto", "--allow-host", "chat.example.org"}, "can't certify public names"},
	} {
		r := turnwire(t, "", append([]string{"serve"}, c.args...)...)
		require.Equal(t, 2, r.code, c.args)
		require.Contains(t, r.stderr, c.says)
	}
}
