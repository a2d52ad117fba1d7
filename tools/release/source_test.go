package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAVersionIsThatOfTheSourceAndItsTag(t *testing.T) {
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, test := range []struct {
		said    string
		tags    []string
		version string
		tagged  bool
	}{
		{"1.2.3", []string{"v1.2.3"}, "1.2.3", true},
		{"1.2.3", []string{"nightly", "v1.2.3"}, "1.2.3", true},
		{"1.2.3", nil, "1.2.3-dev.0123456789ab", false},
		{"1.2.3", []string{"nightly", "vscode"}, "1.2.3-dev.0123456789ab", false},
	} {
		version, tagged, err := versionOf(test.said, test.tags, commit)
		require.NoError(t, err)
		require.Equal(t, test.version, version)
		require.Equal(t, test.tagged, tagged)
	}
	for said, tags := range map[string][]string{
		"1.2.3": {"v1.2.4"},
		"1.2":   {"v1.2"},
		"v2":    nil,
		"":      nil,
	} {
		_, _, err := versionOf(said, tags, commit)
		require.ErrorContains(t, err, "version.go", said)
	}
}

func TestAFolderThatHoldsSomethingIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, requireEmpty(dir))
	require.NoError(t, requireEmpty(filepath.Join(dir, "missing")))
	kept := filepath.Join(dir, "kept")
	require.NoError(t, os.WriteFile(kept, []byte("mine"), 0o600))
	require.ErrorContains(t, release(t.Context(), options{source: repository, out: dir}), "not empty")
	require.FileExists(t, kept)
}

func TestAFolderThatIsNoRepositoryIsNamed(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(dir))
	require.ErrorContains(t, release(t.Context(), options{source: dir, out: filepath.Join(dir, "out")}), "git")
}

func TestOnlyPlatformsOfAReleaseAreKnown(t *testing.T) {
	list, err := parsePlatforms("linux/arm64,windows/amd64")
	require.NoError(t, err)
	require.Equal(t, "turnwire_1.0.0_linux_arm64.tar.gz", list[0].archive("1.0.0"))
	require.Equal(t, "turnwire_1.0.0_windows_amd64.zip", list[1].archive("1.0.0"))
	for _, bad := range []string{"", "linux", "linux/arm64,", "plan9/amd64"} {
		_, err := parsePlatforms(bad)
		require.ErrorContains(t, err, "unknown platform", bad)
	}
}
