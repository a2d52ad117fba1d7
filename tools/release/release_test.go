package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/stretchr/testify/require"
)

const repository = "../.."

// tested are this platform, whose program can be run, and one with the other
// kind of archive.
var tested = []platform{here(), {"windows", "amd64", "windows-x86_64"}}

func here() platform {
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.os == runtime.GOOS && p.arch == runtime.GOARCH })
	return platforms[i]
}

// made is a release of the HEAD of this repository, which all tests share.
var made = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(shared, "made")
	return dir, release(context.Background(), options{source: repository, out: dir, platforms: tested})
})

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

func requireMade(t *testing.T) string {
	t.Helper()
	dir, err := made()
	require.NoError(t, err)
	return dir
}

// contents returns the files of a release by name.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files, err := readFiles(dir)
	require.NoError(t, err)
	all := map[string][]byte{}
	for _, f := range files {
		all[f.name] = f.data
	}
	return all
}

// find returns the file of a release with a suffix.
func find(t *testing.T, dir, end string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*"+end))
	require.NoError(t, err)
	require.Len(t, found, 1, end)
	return found[0]
}

// archiveOf returns the archive of a platform, and billOf its bill of
// materials.
func archiveOf(t *testing.T, p platform) string {
	t.Helper()
	return find(t, requireMade(t), strings.TrimPrefix(p.archive(""), "turnwire_"))
}

func billOf(t *testing.T, p platform) string {
	t.Helper()
	return find(t, requireMade(t), strings.TrimPrefix(p.bill(""), "turnwire_"))
}

func TestTheSameCommitGivesTheSameBytes(t *testing.T) {
	first := contents(t, requireMade(t))
	// In another folder, at a later time, by a user with other settings.
	clone := filepath.Join(t.TempDir(), "a clone")
	_, err := output(t.Context(), ".", nil, "git", "clone", "--quiet", repository, clone)
	require.NoError(t, err)
	t.Setenv("TZ", "Asia/Kathmandu")
	t.Setenv("GOFLAGS", "-buildvcs=false -tags=netgo")
	t.Setenv("GOAMD64", "v3")
	t.Setenv("SOURCE_DATE_EPOCH", "1")
	restrictModes(t)
	out := filepath.Join(t.TempDir(), "made")
	require.NoError(t, release(t.Context(), options{source: clone, out: out, platforms: tested}))
	second := contents(t, out)
	require.Len(t, second, len(first))
	for name, data := range first {
		require.Contains(t, second, name)
		require.True(t, bytes.Equal(data, second[name]), "%s is different", name)
	}
}

func TestChecksumsAreThoseOfAllFiles(t *testing.T) {
	all := contents(t, requireMade(t))
	var want []string
	for name, data := range all {
		if name != checksumsName {
			want = append(want, fmt.Sprintf("%x  %s", sha256.Sum256(data), name))
		}
	}
	count := 3*len(tested) + 1 // an archive, a bill and an npm package for each platform, and the npm package for all
	count += 4 + 1             // the packages of the libraries, and the extension
	if here().os == "linux" {
		count += 2 // a Debian package and an image
	}
	require.Len(t, want, count)
	require.ElementsMatch(t, want, strings.Split(strings.TrimSpace(string(all[checksumsName])), "\n"))
}

// untar reads a compressed tar file, and checks its headers.
func untar(t *testing.T, path string, when time.Time) []file {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	compressed, err := gzip.NewReader(f)
	require.NoError(t, err)
	require.True(t, compressed.ModTime.IsZero())
	var files []file
	for r := tar.NewReader(compressed); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		require.NoError(t, err)
		require.Zero(t, h.Uid+h.Gid)
		require.Empty(t, h.Uname+h.Gname)
		require.True(t, h.ModTime.Equal(when), "%s is of %s", h.Name, h.ModTime)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files = append(files, file{h.Name, h.FileInfo().Mode(), data})
	}
}

func unzip(t *testing.T, path string, when time.Time) []file {
	t.Helper()
	z, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer func() { _ = z.Close() }()
	var files []file
	for _, f := range z.File {
		require.True(t, f.Modified.Equal(when), "%s is of %s", f.Name, f.Modified)
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		files = append(files, file{f.Name, f.Mode(), data})
	}
	return files
}

// timeOfRelease is that of the commit.
func timeOfRelease(t *testing.T) time.Time {
	t.Helper()
	seconds, err := output(t.Context(), repository, []string{"TZ=UTC"}, "git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd")
	require.NoError(t, err)
	when, err := time.Parse(time.RFC3339, seconds)
	require.NoError(t, err)
	return when
}

// unpack reads the archive of a platform.
func unpack(t *testing.T, p platform) []file {
	t.Helper()
	when := timeOfRelease(t)
	if p.os == "windows" {
		return unzip(t, archiveOf(t, p), when)
	}
	return untar(t, archiveOf(t, p), when)
}

// program writes the program of a platform to a file.
func program(t *testing.T, p platform) string {
	t.Helper()
	files := unpack(t, p)
	i := slices.IndexFunc(files, func(f file) bool { return f.name == p.binary() })
	require.GreaterOrEqual(t, i, 0)
	path := filepath.Join(t.TempDir(), p.binary())
	require.NoError(t, os.WriteFile(path, files[i].data, files[i].mode))
	return path
}

func TestAnArchiveHoldsWhatBelongsToAProgram(t *testing.T) {
	for _, p := range tested {
		files := unpack(t, p)
		var names []string
		for _, f := range files {
			names = append(names, f.name)
			require.NotEmpty(t, f.data, f.name)
			require.Equal(t, f.name == p.binary(), f.mode.Perm() == 0o755, "%s has mode %s", f.name, f.mode)
		}
		require.True(t, slices.IsSorted(names), names)
		require.Subset(t, names, []string{
			p.binary(), "LICENSE", "THIRD-PARTY-LICENSES", "README.md", "CHANGELOG.md", "docs/events.md", "man/man1/turnwire.1", "man/man1/turnwire-acp.1",
			"completions/bash/turnwire", "completions/fish/turnwire.fish", "completions/powershell/turnwire.ps1", "completions/zsh/_turnwire",
		})
	}
}

func TestTheProgramSaysWhatItIs(t *testing.T) {
	commit, err := output(t.Context(), repository, nil, "git", "rev-parse", "--short=12", "HEAD")
	require.NoError(t, err)
	said, err := output(t.Context(), ".", nil, program(t, here()), "version")
	require.NoError(t, err)
	version := strings.Fields(said)[1]
	require.Equal(t, here().archive(version), filepath.Base(archiveOf(t, here())))
	require.Contains(t, said, "("+commit+")", "without the mark of changes that were not committed")
}

func TestWhatIsInAProgramIsBilledAndItsLicencesGoAlong(t *testing.T) {
	for _, p := range tested {
		info, err := buildinfo.ReadFile(program(t, p))
		require.NoError(t, err)
		want := map[string]string{"std": info.GoVersion}
		for _, dep := range info.Deps {
			want[dep.Path] = dep.Version
		}
		f, err := os.Open(billOf(t, p))
		require.NoError(t, err)
		defer f.Close()
		var bom cyclonedx.BOM
		require.NoError(t, cyclonedx.NewBOMDecoder(f, cyclonedx.BOMFileFormatJSON).Decode(&bom))
		got := map[string]string{}
		for _, c := range *bom.Components {
			got[c.Name] = c.Version
			require.NotEmpty(t, c.Licenses, "%s has no licence", c.Name)
		}
		require.Equal(t, want, got)
		require.NotEmpty(t, bom.SerialNumber)
		require.NotEmpty(t, bom.Metadata.Timestamp)

		files := unpack(t, p)
		notices := string(files[slices.IndexFunc(files, func(f file) bool { return f.name == "THIRD-PARTY-LICENSES" })].data)
		for _, dep := range info.Deps {
			require.Contains(t, notices, "\n"+dep.Path+" "+dep.Version+": ")
		}
	}
}

func TestWhatAnEntryStartsAnswers(t *testing.T) {
	start := newEntry("1.2.3", platforms).Distribution.Binary[here().registry]
	path := program(t, here())
	// As a client does it: from the folder of the archive, with a new home
	// directory.
	cmd := exec.CommandContext(t.Context(), start.Cmd, start.Args...)
	cmd.Dir = filepath.Dir(path)
	cmd.Env = []string{"HOME=" + t.TempDir(), "TERM=dumb"}
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}` + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	var answer struct {
		Result struct {
			ProtocolVersion int
			AuthMethods     []struct{ ID, Name, Type string }
		}
	}
	require.NoError(t, json.Unmarshal(out, &answer), "one line, and nothing before it")
	require.Equal(t, 1, answer.Result.ProtocolVersion)
	// The registry wants a login of the agent's own; it counts one without a type.
	require.NotEmpty(t, answer.Result.AuthMethods)
	require.Empty(t, answer.Result.AuthMethods[0].Type)
	require.NotEmpty(t, answer.Result.AuthMethods[0].ID)
	require.NotEmpty(t, answer.Result.AuthMethods[0].Name)
	require.Empty(t, stderr.String())
}
