package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/registry"
)

// document returns a registry with the given entries.
func document(entries ...string) []byte {
	return []byte(`{"version": "1.0.0", "agents": [` + strings.Join(entries, ",") + `], "extensions": []}`)
}

// entry returns an entry with an id and a distribution.
func entry(id, distribution string) string {
	return fmt.Sprintf(`{"id": %q, "name": "An Agent", "version": "1.2.3", "description": "It helps.", "license": "MIT", "new": {"x": 1}, "distribution": {%s}}`, id, distribution)
}

func TestAnEntryBecomesACommandLineWithItsVersion(t *testing.T) {
	digest := strings.Repeat("AB", 32)
	binary := `"binary": {"linux-x86_64": {"archive": "https://example.org/a.tar.gz", "sha256": "` + digest + `", "cmd": "./bin/a", "args": ["acp"], "env": {"A": "$b"}}}`
	for name, c := range map[string]struct {
		distribution, way string
		want              registry.Launch
	}{
		"npx":                {`"npx": {"package": "@scope/pkg@0.9.1", "args": ["--acp"]}`, "", registry.Launch{Way: "npx", Command: "npx", Args: []string{"--yes", "@scope/pkg@0.9.1", "--acp"}}},
		"npx, no version":    {`"npx": {"package": "@scope/pkg"}`, "", registry.Launch{Way: "npx", Command: "npx", Args: []string{"--yes", "@scope/pkg@1.2.3"}}},
		"npx, latest":        {`"npx": {"package": "pkg@latest"}`, "npx", registry.Launch{Way: "npx", Command: "npx", Args: []string{"--yes", "pkg@1.2.3"}}},
		"uvx":                {`"uvx": {"package": "pkg[acp]==2.0", "args": ["serve"], "env": {"K": "v"}}`, "", registry.Launch{Way: "uvx", Command: "uvx", Args: []string{"pkg[acp]@2.0", "serve"}, Env: map[string]string{"K": "v"}}},
		"uvx, no version":    {`"uvx": {"package": "pkg"}`, "", registry.Launch{Way: "uvx", Command: "uvx", Args: []string{"pkg@1.2.3"}}},
		"binary":             {binary, "", registry.Launch{Way: "binary", Command: "bin/a", Args: []string{"acp"}, Env: map[string]string{"A": "$b"}, Archive: "https://example.org/a.tar.gz", SHA256: strings.ToLower(digest)}},
		"binary before npx":  {`"npx": {"package": "pkg"}, ` + binary, "", registry.Launch{Way: "binary", Command: "bin/a", Args: []string{"acp"}, Env: map[string]string{"A": "$b"}, Archive: "https://example.org/a.tar.gz", SHA256: strings.ToLower(digest)}},
		"npx where asked":    {`"npx": {"package": "pkg"}, ` + binary, "npx", registry.Launch{Way: "npx", Command: "npx", Args: []string{"--yes", "pkg@1.2.3"}}},
		"npx, no such build": {`"npx": {"package": "pkg"}, "binary": {"windows-x86_64": {"archive": "https://example.org/a.zip", "cmd": "a.exe"}}`, "", registry.Launch{Way: "npx", Command: "npx", Args: []string{"--yes", "pkg@1.2.3"}}},
	} {
		r, err := registry.Parse(document(entry("a", c.distribution)))
		require.NoError(t, err, name)
		require.Empty(t, r.Wrong, name)
		e, _, err := r.Find("a")
		require.NoError(t, err, name)
		got, err := e.Launch(registry.Platform("linux", "amd64"), c.way)
		require.NoError(t, err, name)
		require.Equal(t, &c.want, got, name)
	}
}

func TestAHostileEntryBecomesNoCommandLine(t *testing.T) {
	target := func(members string) string {
		return `"binary": {"linux-x86_64": {"archive": "https://example.org/a.zip", "cmd": "a"` + members + `}}`
	}
	for distribution, want := range map[string]string{
		`"npx": {"package": "--eval"}`:                                                       `"--eval" is not a valid package for npx`,
		`"npx": {"package": "../here"}`:                                                      `is not a valid package for npx`,
		`"npx": {"package": "git+ssh://example.org/x"}`:                                      `is not a valid package for npx`,
		`"npx": {"package": "pkg@1.0.0 --call rm"}`:                                          `is not a valid package for npx`,
		`"uvx": {"package": "--from=x"}`:                                                     `is not a valid package for uvx`,
		`"uvx": {"package": "pkg @ https://example.org/x"}`:                                  `is not a valid package for uvx`,
		`"npx": {"package": "pkg", "args": ["a\rb"]}`:                                        `has control characters`,
		`"npx": {"package": "pkg", "args": ["a\u202eb"]}`:                                    `has control characters`,
		`"npx": {"package": "pkg", "args": ["` + strings.Repeat("x", 5000) + `"]}`:           `is too long`,
		`"npx": {"package": "pkg", "env": {"A=B": "c"}}`:                                     `the variable "A=B" is invalid`,
		`"npx": {"package": "pkg", "env": {"A": "b\nc"}}`:                                    `has control characters`,
		target(`, "sha256": "abc"`):                                                          `64 hexadecimal digits`,
		`"binary": {"linux-x86_64": {"archive": "https://u:p@example.org/a", "cmd": "a"}}`:   `the archive's URL is invalid`,
		`"binary": {"linux-x86_64": {"archive": "a.zip", "cmd": "a"}}`:                       `the archive's URL is invalid`,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.tar.xz", "cmd": "a"}}`:          `unsupported archive type`,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.zip", "cmd": "../a"}}`:          `is not in the archive`,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.zip", "cmd": "/bin/sh"}}`:       `is not in the archive`,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.zip", "cmd": "..\\..\\a"}}`:     `is not in the archive`,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.zip", "cmd": ""}}`:              `is not in the archive`,
		`"binary": {"darwin-aarch64": {"archive": "https://x/a.zip", "cmd": "a"}}`:           `a is not available for linux-x86_64, only for darwin-aarch64`,
		`"binary": {"linux-\u001b[2J": {"archive": "https://x/a.zip", "cmd": "a"}}`:          `a is not available for linux-x86_64, only for `,
		`"binary": {"linux-x86_64": {"archive": "https://x/a.zip", "cmd": "a\u001b[2Jbin"}}`: `control characters`,
	} {
		r, err := registry.Parse(document(entry("a", distribution)))
		require.NoError(t, err)
		e, _, err := r.Find("a")
		require.NoError(t, err, distribution)
		_, err = e.Launch("linux-x86_64", "")
		require.ErrorContains(t, err, want, distribution)
		require.NotContains(t, err.Error(), "\x1b")
	}
}

func TestAnInvalidEntryIsRefusedAloneWithAReason(t *testing.T) {
	good := entry("good", `"npx": {"package": "pkg"}`)
	r, err := registry.Parse(document(
		good,
		entry("../up", `"npx": {"package": "pkg"}`),
		entry("Upper", `"npx": {"package": "pkg"}`),
		entry("twice", `"npx": {"package": "pkg"}`), entry("twice", `"npx": {"package": "other"}`),
		entry("none", ``),
		strings.Replace(entry("version", `"npx": {"package": "pkg"}`), "1.2.3", "../1", 1),
		`{"id": "list", "name": []}`, `7`, `null`,
	))
	require.NoError(t, err)
	require.Len(t, r.Agents, 1)
	require.Equal(t, "good", r.Agents[0].ID)
	var keys []string
	for key := range r.Wrong {
		keys = append(keys, key)
	}
	require.ElementsMatch(t, []string{"agents[1]", "agents[2]", "twice", "none", "version", "list", "agents[8]", "agents[9]"}, keys)
	_, _, err = r.Find("version")
	require.EqualError(t, err, "invalid registry entry for version: the version must be three numbers separated by dots")
	_, known, err := r.Find("god")
	require.ErrorIs(t, err, registry.ErrUnknown)
	require.Equal(t, []string{"good"}, known)
}

func TestInvalidRegistriesAreErrors(t *testing.T) {
	for _, text := range []string{``, `[]`, `{}`, `{"version": "1.0.0"}`, `{"version": "1.0.0", "agents": null}`, `{"version": "2.0.0", "agents": []}`, `<html>`, `{"version": "1.0.0", "agents": [` + strings.Repeat("0,", 10_000) + `0]}`} {
		_, err := registry.Parse([]byte(text))
		require.Error(t, err, "%.40s", text)
	}
}

func TestAgentsAreFoundByAWord(t *testing.T) {
	r, err := registry.Parse(document(entry("b", `"npx": {"package": "pkg"}`), entry("a", `"npx": {"package": "pkg"}`)))
	require.NoError(t, err)
	require.Len(t, r.Search(""), 2)
	require.Len(t, r.Search("HELPS"), 2)
	require.Len(t, r.Search("b"), 1)
	require.Empty(t, r.Search("zebra"))
}

func TestVersionsAreComparedByTheirNumbers(t *testing.T) {
	require.True(t, registry.Older("1.9.0", "1.10.0"))
	require.False(t, registry.Older("1.10.0", "1.9.0"))
	require.False(t, registry.Older("1.2.3-rc.1", "1.2.3"))
	require.False(t, registry.Older("", "1.2.3"))
}
