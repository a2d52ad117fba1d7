//go:build unix

package e2e

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// official is the address of the ACP registry.
const official = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json"

// knows puts a fresh copy of the ACP registry into the user's cache. It has one agent,
// which npx runs.
func (p *user) knows(id, name string) {
	p.t.Helper()
	sum := sha256.Sum256([]byte(official))
	text, err := json.Marshal(map[string]any{"version": "1.0.0", "agents": []any{map[string]any{
		"id": id, "name": name, "version": "3.2.1", "description": "Answers.", "distribution": map[string]any{"npx": map[string]any{"package": "@scope/" + id + "@3.2.1"}},
	}}})
	require.NoError(p.t, err)
	p.has(".cache/turnwire/registry/"+hex.EncodeToString(sum[:8])+".json", string(text))
}

// installs puts an ACP agent into the user's PATH.
func (p *user) installs(name string) {
	p.t.Helper()
	script := strings.ReplaceAll(scripted, "VERSION", "of "+name)
	require.NoError(p.t, os.WriteFile(filepath.Join(p.path, name), []byte(script), 0o755))
}

func TestAnInstalledAgentRunsByItsName(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.installs("gemini")
	got := p.run("run", "--agent", "gemini", "hello")
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "version of gemini, --acp")

	got = p.run("agents")
	require.Zero(t, got.code, got.stderr)
	require.Regexp(t, `(?m)^gemini +gemini --acp +yes: \$HOME/bin/gemini +Gemini CLI$`, got.stdout)
	require.NotContains(t, got.stdout, "codex")
	got = p.run("agents", "--all")
	require.Regexp(t, `(?m)^codex +codex-acp +no: codex-acp is not in PATH +Codex$`, got.stdout)

	got = p.run("__complete", "run", "--agent", "")
	require.Contains(t, got.stdout, "gemini\tGemini CLI\n")
	require.Contains(t, got.stdout, "codex\tCodex (not installed)\n")

	got = p.run("setup", "zed", "--agent", "gemini", "--print")
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, `"gemini"`)
	got = p.run("doctor", "zed", "--agent", "gemini")
	require.Contains(t, got.stdout, "gemini --acp")
}

func TestAnAgentWithoutItsAdapterIsOfferedTheAdapter(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.installs("codex")
	got := p.run("run", "--agent", "codex", "hello")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "Codex needs an adapter, because codex doesn't speak the Agent Client Protocol (codex-acp is not in PATH): add it with turnwire agents add codex, or")
}

func TestAMissingAgentIsAddedFromTheRegistryWithOneYes(t *testing.T) {
	t.Parallel()
	p := newUser(t)
	p.knows("claude-acp", "Claude Agent")
	p.installs("npx")
	const cure = "Claude Code is not installed (claude-agent-acp or claude is not in PATH): add it with turnwire agents add claude, or install it: npm install -g @agentclientprotocol/claude-agent-acp"

	got := p.run("run", "--agent", "claude", "hello")
	require.Equal(t, 1, got.code)
	require.Equal(t, "turnwire: "+cure+"\n", got.stderr)
	got = p.run("setup", "zed", "--agent", "claude", "--yes")
	require.Contains(t, got.stderr, cure)
	got = p.run("doctor", "zed", "--agent", "claude")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stdout, "Add it with turnwire agents add claude, or install it")

	got = p.run("agents", "add", "claude", "--print")
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "runs      npx --yes @scope/claude-acp@3.2.1")
	require.NoFileExists(t, filepath.Join(p.home, ownFile))

	screen, code := p.answer("n", "run", "--agent", "claude", "hello")
	require.Equal(t, 1, code)
	require.Contains(t, screen, "nothing was changed")
	require.NoFileExists(t, filepath.Join(p.home, ownFile))

	screen, code = p.answer("y", "run", "--agent", "claude", "hello")
	require.Zero(t, code, screen)
	require.Contains(t, screen, "npx --yes @scope/claude-acp@3.2.1", "what runs is shown before the question")
	require.Contains(t, screen, "version of npx, --yes")
	require.Contains(t, p.file(ownFile), `"claude": {`)

	got = p.run("run", "--agent", "claude", "again")
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, "version of npx, --yes")
	got = p.run("agents", "add", "claude", "--yes")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "claude 3.2.1 is already in $HOME")
	got = p.run("agents", "update", "claude")
	require.Contains(t, got.stdout, "claude 3.2.1 is up to date")
}
