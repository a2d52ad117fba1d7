package registry_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/registry"
)

func TestTheCopyIsUsedForAnHourAndIfTheServerFails(t *testing.T) {
	var asked atomic.Int32
	answer := string(document(entry("a", `"npx": {"package": "pkg"}`)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		_, _ = io.WriteString(w, answer)
	}))
	defer server.Close()
	s := registry.Source{From: server.URL + "/registry.json", Cache: filepath.Join(t.TempDir(), "cache")}
	_, err := s.Cached()
	require.ErrorIs(t, err, os.ErrNotExist)

	for range 2 {
		r, notice, err := s.Load(t.Context())
		require.NoError(t, err)
		require.Empty(t, notice)
		require.Len(t, r.Agents, 1)
	}
	require.EqualValues(t, 1, asked.Load(), "the second time it was the copy")

	s.Refresh = true
	_, _, err = s.Load(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, asked.Load())

	answer = "<html>come back later</html>"
	r, notice, err := s.Load(t.Context())
	require.NoError(t, err)
	require.Len(t, r.Agents, 1)
	require.Contains(t, notice, "using a copy of the registry from")
	require.Contains(t, notice, "not an agent registry")

	server.Close()
	copies, err := filepath.Glob(filepath.Join(s.Cache, "*"))
	require.NoError(t, err)
	require.Len(t, copies, 1)
	old := time.Now().Add(-50 * time.Hour)
	require.NoError(t, os.Chtimes(copies[0], old, old))
	s.Refresh = false
	_, notice, err = s.Load(t.Context())
	require.NoError(t, err)
	require.Contains(t, notice, "from 50h0m0s ago")
}

func TestWithoutACopyAServerThatFailsIsAnError(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"returned the status 404": http.NotFound,
		"is longer than": func(w http.ResponseWriter, _ *http.Request) {
			for range 17 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		},
		`must begin with https://`: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://example.org/registry.json", http.StatusFound)
		},
		"too many redirects": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/again", http.StatusFound) },
	} {
		server := httptest.NewServer(handler)
		_, _, err := registry.Source{From: server.URL, Cache: t.TempDir()}.Load(t.Context())
		server.Close()
		require.ErrorContains(t, err, name)
	}
	for _, from := range []string{"http://example.org/registry.json", "file:///etc/passwd", "ftp://example.org/x", "https://u:p@example.org/x"} {
		_, _, err := registry.Source{From: from, Cache: t.TempDir()}.Load(t.Context())
		require.Error(t, err, from)
		require.NotContains(t, err.Error(), "u:p")
	}
}

func TestAFileIsARegistryAndMustBeThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "registry.json")
	_, _, err := registry.Source{From: path}.Load(t.Context())
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(path, document(entry("a", `"npx": {"package": "pkg"}`)), 0o600))
	r, err := registry.Source{From: path}.Cached()
	require.NoError(t, err)
	require.Len(t, r.Agents, 1)
}
