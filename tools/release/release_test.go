package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// output runs a command in a folder and returns its stdout. The error has the rest of its
// output.
func output(dir string, env []string, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return strings.TrimSpace(string(out)), err
}

// do is like output, but requires the command to succeed.
func do(t *testing.T, dir string, name string, args ...string) string {
	t.Helper()
	out, err := output(dir, nil, name, args...)
	require.NoError(t, err)
	return out
}

var shared string

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "turnwire-release-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(shared)
	os.Exit(code)
}

// made is a release of HEAD, which all tests share. It is made in a clone with the tag of
// its version, so that the release is complete.
var made = sync.OnceValues(func() (string, error) { return release("first", nil, "022") })

// release makes a release in a separate clone, and returns the folder.
func release(name string, env []string, umask string) (string, error) {
	clone, out := filepath.Join(shared, name, "a clone"), filepath.Join(shared, name, "made")
	if _, err := output("../..", nil, "git", "clone", "--quiet", "--no-tags", ".", clone); err != nil {
		return "", err
	}
	printed, err := output(clone, nil, "tools/release/version")
	if err != nil {
		return "", err
	}
	version, _, _ := strings.Cut(printed, "-dev.")
	if _, err := output(clone, nil, "git", "tag", "v"+version); err != nil {
		return "", err
	}
	_, err = output(clone, env, "sh", "-c", "umask "+umask+`; exec tools/release/make "$1"`, "sh", out)
	return out, err
}

// find returns the file of the release that matches a pattern.
func find(t *testing.T, pattern string) string {
	t.Helper()
	dir, err := made()
	require.NoError(t, err)
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.Len(t, found, 1, pattern)
	return found[0]
}

// version returns the version of the release.
func version(t *testing.T) string {
	t.Helper()
	return strings.TrimSuffix(strings.TrimPrefix(filepath.Base(find(t, "turnwire_*_linux_amd64.tar.gz")), "turnwire_"), "_linux_amd64.tar.gz")
}

// unpack extracts an archive of the release into a new folder. It checks that every file
// has the time of the commit, and no owner's name.
func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	when, err := time.Parse(time.RFC3339, do(t, "../..", "git", "log", "-1", "--format=%cI"))
	require.NoError(t, err)
	extract := func(info fs.FileInfo, name string, r io.Reader) {
		require.True(t, filepath.IsLocal(name), name)
		require.True(t, info.ModTime().Equal(when), "%s in %s is of %s", name, archive, info.ModTime())
		require.Contains(t, []fs.FileMode{0o644, 0o755}, info.Mode(), name)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, info.Mode()))
	}
	if z, err := zip.OpenReader(archive); err == nil {
		defer func() { _ = z.Close() }()
		for _, f := range z.File {
			r, err := f.Open()
			require.NoError(t, err)
			extract(f.FileInfo(), f.Name, r)
		}
		return dir
	}
	data, err := os.ReadFile(archive)
	require.NoError(t, err)
	var content io.Reader = bytes.NewReader(data)
	if compressed, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
		require.True(t, compressed.ModTime.IsZero())
		content = compressed
	}
	for r := tar.NewReader(content); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		require.NoError(t, err)
		require.Zero(t, h.Uid+h.Gid)
		require.Contains(t, []string{"", "root"}, h.Uname)
		extract(h.FileInfo(), h.Name, r)
	}
}

// names lists the files below a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			all = append(all, path)
		}
		return err
	}))
	return all
}

// sums returns the checksums of the files in a folder, in the format of sha256sum.
func sums(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	for _, name := range names(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		if name != "SHA256SUMS" {
			all = append(all, fmt.Sprintf("%x  %s", sha256.Sum256(data), name))
		}
	}
	return all
}

func TestTheSameCommitGivesTheSameBytes(t *testing.T) {
	first, err := made()
	require.NoError(t, err)
	// In another folder, at a later time, by a user with other settings.
	second, err := release("second", []string{"TZ=Asia/Kathmandu", "GOFLAGS=-buildvcs=false -tags=netgo", "GOAMD64=v3", "GOOS=windows", "SOURCE_DATE_EPOCH=1"}, "077")
	require.NoError(t, err)
	require.Equal(t, sums(t, first), sums(t, second))
}

func TestAReleaseHasAllItsFiles(t *testing.T) {
	dir, err := made()
	require.NoError(t, err)
	v := version(t)
	want := []string{
		"SHA256SUMS", "agent.json", "turnwire.rb", "npm-turnwire-" + v + ".tgz", "npm-turnwire-agent-" + v + ".tgz", "turnwire-agent-" + v + ".crate",
		"turnwire-vscode-" + v + ".vsix", "turnwire_agent-" + v + ".tar.gz", "turnwire_agent-" + v + "-py3-none-any.whl",
	}
	for platform, node := range map[string]string{
		"darwin_amd64": "darwin-x64", "darwin_arm64": "darwin-arm64", "linux_amd64": "linux-x64",
		"linux_arm64": "linux-arm64", "windows_amd64": "win32-x64", "windows_arm64": "win32-arm64",
	} {
		ends := []string{".tar.gz", ".cdx.json"}
		switch platform[:5] {
		case "windo":
			ends[0] = ".zip"
		case "linux":
			ends = append(ends, ".deb", ".rpm", ".apk", ".oci.tar")
		}
		for _, end := range ends {
			want = append(want, "turnwire_"+v+"_"+platform+end)
		}
		want = append(want, "npm-turnwire-"+node+"-"+v+".tgz", "turnwire-vscode-"+node+"-"+v+".vsix")
	}
	require.ElementsMatch(t, want, names(t, dir))
	written, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	require.NoError(t, err)
	require.ElementsMatch(t, sums(t, dir), strings.Split(strings.TrimSpace(string(written)), "\n"))
}

// repositoryOf creates a repository whose only commit has this version, these tags and
// this go.mod.
func repositoryOf(t *testing.T, printed, mod string, tags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "internal/app/cli/version.go")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte("var release = \""+printed+"\"\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	do(t, dir, "git", "init", "--quiet")
	do(t, dir, "git", "add", ".")
	do(t, dir, "git", "-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "-m", "Begin")
	for _, tag := range tags {
		do(t, dir, "git", "-c", "tag.gpgsign=false", "tag", tag)
	}
	return dir
}

func TestTheVersionMatchesTheSourceAndItsTag(t *testing.T) {
	script, err := filepath.Abs("version")
	require.NoError(t, err)
	const mod = "module m\n\ntoolchain go1.26.0\n"
	for _, test := range []struct {
		printed string
		tags    []string
		want    string
	}{
		{"1.2.3", []string{"v1.2.3"}, `^1\.2\.3$`},
		{"1.2.3", []string{"nightly", "v1.2.3"}, `^1\.2\.3$`},
		{"1.2.3", []string{"nightly", "vscode"}, `^1\.2\.3-dev\.[0-9a-f]{12}$`},
		{"1.2.3", nil, `^1\.2\.3-dev\.[0-9a-f]{12}$`},
		{"1.2.3", []string{"v1.2.4"}, "the tag is v1.2.4, but .* says 1.2.3"},
		{"1.2", []string{"v1.2"}, "has no version"},
		{"v2", nil, "has no version"},
		{"", nil, "has no version"},
	} {
		printed, err := output(repositoryOf(t, test.printed, mod, test.tags...), nil, script)
		if err != nil {
			printed = err.Error()
		}
		require.Regexp(t, test.want, printed)
	}
	_, err = output(repositoryOf(t, "1.2.3", "module m\n\ngo 1.26.0\n"), nil, script)
	require.ErrorContains(t, err, "names no toolchain")
}

func TestAFolderThatHoldsSomethingIsLeftAlone(t *testing.T) {
	dir := t.TempDir()
	saved := filepath.Join(dir, "kept")
	require.NoError(t, os.WriteFile(saved, []byte("mine"), 0o600))
	_, err := output(".", nil, "./make", dir)
	require.ErrorContains(t, err, "not empty")
	require.FileExists(t, saved)
}
