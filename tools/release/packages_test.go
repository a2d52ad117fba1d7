package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fileOf returns the file of the release that has such a name, in some version.
func fileOf(t *testing.T, name func(version string) string) string {
	t.Helper()
	before, after, _ := strings.Cut(name("*"), "*")
	found, err := filepath.Glob(filepath.Join(requireMade(t), before+"[0-9]*"+after))
	require.NoError(t, err)
	require.Len(t, found, 1, "%s…%s", before, after)
	return found[0]
}

func TestThePackagesOfNPMStartTheProgram(t *testing.T) {
	dir := t.TempDir()
	env := []string{"HOME=" + dir, "npm_config_cache=" + filepath.Join(dir, "cache"), "npm_config_offline=true", "npm_config_update_notifier=false"}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o600))
	_, err := output(t.Context(), dir, env, "npm", "install", "--no-audit", "--no-fund", fileOf(t, wrapper), fileOf(t, here().npm))
	require.NoError(t, err)
	said, err := output(t.Context(), dir, env, "npx", "--no-install", "turnwire", "version")
	require.NoError(t, err)
	want, err := output(t.Context(), dir, nil, program(t, here()), "version")
	require.NoError(t, err)
	require.Equal(t, want, said)

	start := filepath.Join(dir, "node_modules/.bin/turnwire")
	var exit *exec.ExitError
	require.ErrorAs(t, exec.CommandContext(t.Context(), start, "no-such-command").Run(), &exit)
	require.Equal(t, 2, exit.ExitCode(), "the exit code is that of the program")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "node_modules/@turnwire")))
	_, err = output(t.Context(), dir, env, start, "version")
	require.ErrorContains(t, err, "@turnwire/"+here().node()+" is not installed")
}

func TestTheFormulaNamesTheArchives(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writeFormula(&source{version: "1.2.3-dev.0123456789ab"}, platforms, dir))
	require.NoFileExists(t, filepath.Join(dir, formulaName))
	for _, p := range platforms {
		require.NoError(t, os.WriteFile(filepath.Join(dir, p.archive("1.2.3")), []byte(p.String()), 0o644))
	}
	require.NoError(t, writeFormula(&source{version: "1.2.3", tagged: true}, platforms, dir))
	text, err := os.ReadFile(filepath.Join(dir, formulaName))
	require.NoError(t, err)
	for _, p := range platforms {
		named := fmt.Sprintf("url \"%s/releases/download/v1.2.3/%s\"\n      sha256 \"%x\"\n", repositoryURL, p.archive("1.2.3"), sha256.Sum256([]byte(p.String())))
		require.Equal(t, p.os != "windows", strings.Contains(string(text), named), p)
	}
	archive := unpack(t, here())
	names := map[string]bool{}
	for _, f := range archive {
		names[f.name] = true
	}
	for _, name := range []string{"turnwire", "completions/bash/turnwire", "completions/zsh/_turnwire", "completions/fish/turnwire.fish", "README.md", "CHANGELOG.md", "THIRD-PARTY-LICENSES"} {
		require.Contains(t, string(text), `install "`, name)
		require.Contains(t, string(text), `"`+name+`"`)
		require.True(t, names[name], name)
	}
}
