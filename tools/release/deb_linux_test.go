package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDebianPackageIsInstalledAndTakenOutAgain(t *testing.T) {
	path := fileOf(t, here().deb)
	root := t.TempDir()
	for _, dir := range []string{"info", "updates"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "var/lib/dpkg", dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(root, "var/lib/dpkg/status"), nil, 0o644))
	dpkg := func(args ...string) string {
		out, err := exec.CommandContext(t.Context(), "dpkg", append([]string{"--root=" + root, "--force-not-root", "--force-script-chrootless", "--log=" + os.DevNull}, args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	dpkg("--install", path)
	require.Empty(t, dpkg("--verify", "turnwire"))
	said, err := output(t.Context(), root, nil, filepath.Join(root, "usr/bin/turnwire"), "version")
	require.NoError(t, err)
	require.Contains(t, dpkg("--status", "turnwire"), "Version: "+debVersion(strings.Fields(said)[1])+"\n")
	for _, name := range []string{
		"man/man1/turnwire-acp.1.gz", "bash-completion/completions/turnwire", "zsh/vendor-completions/_turnwire",
		"fish/vendor_completions.d/turnwire.fish", "doc/turnwire/copyright", "doc/turnwire/THIRD-PARTY-LICENSES",
	} {
		require.FileExists(t, filepath.Join(root, "usr/share", name))
	}
	manual, err := output(t.Context(), root, nil, "gzip", "-dc", "usr/share/man/man1/turnwire.1.gz")
	require.NoError(t, err)
	require.Contains(t, manual, ".TH ")
	dpkg("--purge", "turnwire")
	require.NoDirExists(t, filepath.Join(root, "usr/share"))
}

func TestAPreReleaseComesBeforeItsRelease(t *testing.T) {
	require.NoError(t, exec.CommandContext(t.Context(), "dpkg", "--compare-versions", debVersion("0.1.0-dev.0123456789ab"), "lt", debVersion("0.1.0")).Run())
}
