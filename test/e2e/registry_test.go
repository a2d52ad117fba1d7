//go:build unix

package e2e

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// scripted is an ACP agent as a shell script that runs no other programs.
const scripted = `#!/bin/sh
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
while read -r line; do
  id=${line#*\"id\":}; id=${id%%[,\}]*}
  case $line in
  *'"initialize"'*) say "\"id\":$id,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{}}" ;;
  *'"session/new"'*) say "\"id\":$id,\"result\":{\"sessionId\":\"one\"}" ;;
  *'"session/prompt"'*)
    say "\"method\":\"session/update\",\"params\":{\"sessionId\":\"one\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"version VERSION, $1, $GREETING\"}}}"
    say "\"id\":$id,\"result\":{\"stopReason\":\"end_turn\"}" ;;
  *'"id":'*) say "\"id\":$id,\"error\":{\"code\":-32601,\"message\":\"no such method\"}" ;;
  esac
done
`

// A market is a server with a registry and the archives of one agent.
type market struct {
	*httptest.Server
	mu       sync.Mutex
	registry string
	archives map[string][]byte
	asked    []string // requested archives
}

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{archives: map[string][]byte{}}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if r.URL.Path == "/registry.json" {
			fmt.Fprint(w, m.registry)
			return
		}
		m.asked = append(m.asked, r.URL.Path)
		_, _ = w.Write(m.archives[r.URL.Path])
	}))
	t.Cleanup(m.Close)
	return m
}

// url returns the registry's URL.
func (m *market) url() string { return m.URL + "/registry.json" }

// offers adds a version of the agent to the registry. digest is its checksum,
// "right" for the correct one, or "" for none.
func (m *market) offers(t *testing.T, version, digest string) {
	t.Helper()
	var archive bytes.Buffer
	z := gzip.NewWriter(&archive)
	w := tar.NewWriter(z)
	script := strings.ReplaceAll(scripted, "VERSION", version)
	require.NoError(t, w.WriteHeader(&tar.Header{Name: "bin/agent", Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(script))}))
	_, err := w.Write([]byte(script))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	if digest == "right" {
		sum := sha256.Sum256(archive.Bytes())
		digest = hex.EncodeToString(sum[:])
	}
	cpu := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]
	m.mu.Lock()
	defer m.mu.Unlock()
	path := "/agent-" + version + ".tar.gz"
	m.archives[path] = archive.Bytes()
	m.registry = fmt.Sprintf(`{"version": "1.0.0", "extensions": [], "agents": [
		{"id": "scripted", "name": "A Script\u001b[31m", "version": %q, "description": "Answers\r\nin two lines.", "license": "MIT", "repository": "https://example.org/scripted",
		 "distribution": {"binary": {"%s-%s": {"archive": %q, "sha256": %q, "cmd": "./bin/agent", "args": ["an argument"], "env": {"GREETING": "5$ each"}}}}},
		{"id": "packaged", "name": "Packaged", "version": "2.0.0", "description": "A package.", "distribution": {"npx": {"package": "@scope/packaged", "args": ["--acp"]}, "uvx": {"package": "packaged==2.0.0"}}},
		{"id": "glue", "name": "Another Glue", "version": "1.0.0", "description": "x", "distribution": {"uvx": {"package": "glue"}}},
		{"id": "../up", "name": "x", "version": "1.0.0", "description": "x", "distribution": {"npx": {"package": "x"}}}
	]}`, version, runtime.GOOS, cpu, m.URL+path, digest)
}

const (
	ownFile   = ".config/turnwire/turnwire.json"
	dataAbove = ".local/share/turnwire/agents"
)

func TestAnAgentOfARegistryIsAddedRunUpdatedAndRemoved(t *testing.T) {
	t.Parallel()
	p, m := newUser(t), newMarket(t)
	const mine = "{\n  // Mine, and it stays.\n  \"agents\": {\n    \"mine\": {\"type\": \"glue\"}, // so does this\n  },\n}\n"
	p.has(ownFile, mine)
	m.offers(t, "1.0.0", "right")

	got := p.run("agents", "search", "answers", "--registry", m.url())
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, "ID        VERSION  WHAT IT IS\nscripted  1.0.0    A Script\\x1b[31m: Answers in two lines.\n", got.stdout)
	require.Contains(t, got.stderr, "! unusable entry agents[3]: the ID must be")

	got = p.run("agents", "add", "scripted", "--registry", m.url())
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "nothing was done because there is no terminal to ask in")
	require.Equal(t, mine, p.file(ownFile))

	screen, code := p.answer("no\n", "agents", "add", "scripted", "--registry", m.url())
	require.Equal(t, 1, code)
	require.Contains(t, screen, "nothing was changed")
	require.Equal(t, mine, p.file(ownFile))
	require.Empty(t, m.asked, "nothing is downloaded unasked")
	require.NoDirExists(t, filepath.Join(p.home, dataAbove))

	screen, code = p.answer("y\n", "agents", "add", "scripted", "--registry", m.url())
	require.Equal(t, 0, code, screen)
	for _, shown := range []string{
		"A Script\\x1b[31m", " 1.0.0 (scripted)", "licence   MIT", "source    https://example.org/scripted", "registry  " + m.url(),
		"runs      $HOME/" + dataAbove + "/scripted/1.0.0/bin/agent \"an argument\"", "with      \"GREETING=5$ each\"",
		"download  " + m.URL + "/agent-1.0.0.tar.gz", "checksum  SHA-256 ", "Add this agent?",
	} {
		require.Contains(t, screen, shown)
	}
	require.Contains(t, p.file(ownFile), "// Mine, and it stays.")
	require.Contains(t, p.file(ownFile), `"mine": {"type": "glue"}, // so does this`)

	got = p.run("run", "--agent", "scripted", "hello")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "version 1.0.0, an argument, 5$ each")

	got = p.run("agents", "add", "scripted", "--registry", m.url(), "--yes")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "scripted 1.0.0 is already in $HOME/"+ownFile+": turnwire agents update scripted")
	got = p.run("agents", "update")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "✓ scripted 1.0.0 is up to date")

	m.offers(t, "1.1.0", "right")
	require.Equal(t, 1, p.run("agents", "update", "scripted").code)
	got = p.run("agents", "update", "scripted", "--yes")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "1.0.0 → 1.1.0")
	require.Contains(t, got.stdout, "ran       $HOME/"+dataAbove+"/scripted/1.0.0/bin/agent")
	require.Contains(t, p.run("run", "--agent", "scripted", "hello").stdout, "version 1.1.0")

	m.offers(t, "1.0.5", "right")
	require.Contains(t, p.run("agents", "update", "--yes").stdout, "scripted stays at 1.1.0: the registry has only 1.0.5")
	m.offers(t, "1.2.0", "")
	got = p.run("agents", "update", "--yes")
	require.Contains(t, got.stdout, "checksum  none in the registry: the download is not verified")
	versions, err := os.ReadDir(filepath.Join(p.home, dataAbove, "scripted"))
	require.NoError(t, err)
	require.Len(t, versions, 2, "the new one and the one before: %v", versions)

	require.Equal(t, 1, p.run("agents", "remove", "scripted").code)
	got = p.run("agents", "remove", "scripted", "--yes")
	require.Equal(t, 0, got.code, got.stderr)
	require.Equal(t, mine, p.file(ownFile))
	require.NoDirExists(t, filepath.Join(p.home, dataAbove, "scripted"))
	got = p.run("agents", "remove", "mine", "--yes")
	require.Contains(t, got.stderr, "the agent mine in $HOME/"+ownFile+" is not from a registry")
}

func TestAnArchiveWithAnotherChecksumIsNotInstalled(t *testing.T) {
	t.Parallel()
	p, m := newUser(t), newMarket(t)
	m.offers(t, "1.0.0", strings.Repeat("0", 64))
	got := p.run("agents", "add", "scripted", "--registry", m.url(), "--yes")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "the archive was deleted because its SHA-256 is")
	require.Empty(t, p.file(ownFile))
	left, err := os.ReadDir(filepath.Join(p.home, dataAbove, "scripted"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAPackageIsPinnedAndNothingIsRun(t *testing.T) {
	t.Parallel()
	p, m := newUser(t), newMarket(t)
	m.offers(t, "1.0.0", "right")
	p.has("registry.json", m.registry)
	file := filepath.Join(p.home, "registry.json")
	for _, program := range []string{"npx", "uvx"} {
		require.NoError(t, os.WriteFile(filepath.Join(p.path, program), []byte("#!/bin/sh\n: > \"$HOME/was-run\"\n"), 0o755))
	}
	got := p.run("agents", "add", "packaged", "--registry", file, "--yes")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, got.stdout, "runs      npx --yes @scope/packaged@2.0.0 --acp")
	require.Contains(t, got.stdout, "npx downloads the package when the agent is first started")
	require.Contains(t, p.file(ownFile), `"args": ["--yes", "@scope/packaged@2.0.0", "--acp"]`)
	require.Contains(t, p.file(ownFile), `"from": "`+file+`"`)

	got = p.run("agents", "add", "packaged", "--registry", file, "--yes", "--force", "--with", "uvx")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, p.file(ownFile), `"args": ["packaged@2.0.0"]`)
	require.Empty(t, m.asked)
	require.NoFileExists(t, filepath.Join(p.home, "was-run"))
}

func TestNamesThatAreTakenOrWrongAreRefused(t *testing.T) {
	t.Parallel()
	p, m := newUser(t), newMarket(t)
	m.offers(t, "1.0.0", "right")
	p.has(ownFile, `{"agents": {"packaged": {"type": "glue"}}}`)
	require.NoError(t, os.WriteFile(filepath.Join(p.work, "turnwire.json"), []byte(`{"agents": {"scripted": {"type": "glue"}}}`), 0o600))
	for name, want := range map[string]string{
		"glue":     "the agent glue is built in: --force uses the registry's agent instead",
		"packaged": "$HOME/" + ownFile + " already has an agent packaged: --force replaces it",
		"scripted": "this project already has an agent scripted",
		"scriptd":  `the registry has no agent "scriptd"; did you mean scripted?`,
		"../up":    `"../up" is not a valid registry name`,
		"--":       "name an agent",
	} {
		got := p.run("agents", "add", "--registry", m.url(), "--yes", name)
		require.NotEqual(t, 0, got.code, name)
		require.Contains(t, got.stderr, want)
	}
	got := p.run("agents", "add", "glue", "--registry", m.url(), "--yes", "--force")
	require.Equal(t, 0, got.code, got.stderr)
	require.Contains(t, p.file(ownFile), `"args": ["glue@1.0.0"]`)
	require.Empty(t, m.asked)
}
