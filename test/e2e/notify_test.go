//go:build unix

package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAWebhookIsNotifiedThatASessionWaits(t *testing.T) {
	type hook struct {
		header http.Header
		body   []byte
	}
	received := make(chan hook, 8)
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			received <- hook{r.Header, body}
		}
	}))
	t.Cleanup(web.Close)
	next := func(event string) (m map[string]any) {
		t.Helper()
		select {
		case h := <-received:
			mac := hmac.New(sha256.New, []byte("key"))
			mac.Write([]byte(h.header.Get("Turnwire-Timestamp") + "." + string(h.body)))
			require.Equal(t, "sha256="+hex.EncodeToString(mac.Sum(nil)), h.header.Get("Turnwire-Signature"))
			require.NoError(t, json.Unmarshal(h.body, &m))
			require.Equal(t, event, m["event"])
			return m
		case <-time.After(patience):
			require.Fail(t, "nothing came")
			return nil
		}
	}
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	t.Setenv("HOOK_SECRET", "key")
	file := filepath.Join(t.TempDir(), "turnwire.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"notify": {"targets": [{"type": "webhook", "url": "`+web.URL+`", "secret": "$HOOK_SECRET", "after": "1ms"}]}}`), 0o600))

	tried := turnwire(t, "", "serve", "--config", file, "--notify-test")
	require.Equal(t, "webhook (1): sent\n", tried.stdout, tried.stderr)
	next("test")

	socket := filepath.Join(t.TempDir(), "s.sock")
	s := serve(t, socket, "--agent", "workspace", "--config", file)
	one := s.attach()
	session := one.session(t.TempDir())
	one.prompt(session, "/run echo hello")
	one.awaitPermission()
	one.crude, one.code = true, -1
	require.NoError(t, one.cmd.Process.Signal(syscall.SIGKILL)) // the laptop is closed
	m := next("waits")
	require.Equal(t, "workspace", m["agent"])
	require.Equal(t, session, m["session"])
	require.Equal(t, "permission", m["request"])
	turnwire(t, "", "stop", "--socket", socket)
	s.ended()
	require.Empty(t, received)
}
