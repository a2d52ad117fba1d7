//go:build unix

package registry_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/registry"
)

// A member is a file in an archive.
type member struct {
	name, text string
	kind       byte // a tar type flag
}

func tarball(t *testing.T, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	for _, m := range members {
		h := tar.Header{Name: m.name, Typeflag: m.kind, Mode: 0o6777}
		if m.kind == tar.TypeReg {
			h.Size = int64(len(m.text))
		} else {
			h.Linkname = m.text
		}
		require.NoError(t, w.WriteHeader(&h))
		if m.kind == tar.TypeReg {
			_, err := w.Write([]byte(m.text))
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return out.Bytes()
}

func zipped(t *testing.T, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(0o644)
		if m.kind == tar.TypeSymlink {
			h.SetMode(fs.ModeSymlink | 0o777)
		}
		f, err := w.CreateHeader(h)
		require.NoError(t, err)
		_, err = f.Write([]byte(m.text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// install installs the program agent/bin from an archive into a new folder. It returns
// the folder and the names of all files in it.
func install(t *testing.T, name string, archive []byte, change func(*registry.Launch)) (data string, files []string, err error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(archive) }))
	defer server.Close()
	digest := sha256.Sum256(archive)
	l := &registry.Launch{Way: registry.Binary, Command: "agent/bin", Archive: server.URL + "/" + name, SHA256: hex.EncodeToString(digest[:])}
	if change != nil {
		change(l)
	}
	outside := t.TempDir()
	data = filepath.Join(outside, "data")
	err = l.Install(t.Context(), registry.Place{Data: data, ID: "a", Version: "1.0.0"}, true)
	walkErr := filepath.WalkDir(outside, func(path string, d fs.DirEntry, err error) error {
		if !d.IsDir() {
			relative, _ := filepath.Rel(data, path)
			files = append(files, filepath.ToSlash(relative))
		}
		return err
	})
	require.NoError(t, walkErr)
	return data, files, err
}

func TestArchivesAreUnpackedWhole(t *testing.T) {
	program := member{"./agent/bin", "#!/bin/sh\n", tar.TypeReg}
	for name, archive := range map[string][]byte{
		"a.tar.gz": tarball(t, member{"agent/", "", tar.TypeDir}, program, member{"agent/lib/x", "x", tar.TypeReg}, member{"agent/link", "lib/x", tar.TypeSymlink}),
		"a.TGZ":    tarball(t, program, member{"agent/lib/x", "x", tar.TypeReg}, member{"agent/link", "../agent/lib/x", tar.TypeSymlink}),
		"a.zip":    zipped(t, member{name: "agent/"}, program, member{"agent/lib/x", "x", tar.TypeReg}, member{"agent/link", "lib/x", tar.TypeSymlink}),
	} {
		data, files, err := install(t, name, archive, nil)
		require.NoError(t, err, name)
		require.ElementsMatch(t, []string{"a/1.0.0/agent/bin", "a/1.0.0/agent/lib/x", "a/1.0.0/agent/link"}, files, name)
		info, err := os.Stat(filepath.Join(data, "a", "1.0.0", "agent", "bin"))
		require.NoError(t, err)
		require.Zero(t, info.Mode()&(fs.ModeSetuid|fs.ModeSetgid|0o022), "%s: nobody else can write it, and it has no other rights", name)
		require.EqualValues(t, 0o700, info.Mode()&0o700, "%s: it can be run", name)
	}
	// The standard library can't write bzip2.
	packed, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWchgmIcAAHL7hMqQAEBoAPWAAIBy4Z4AAACACCAAdQyppkG1AaNqDTEElT0g0GhkAAfecwZyED6AEiUXkba6SEySBg4Yd20fr5Y1YklcCGQidldDdgjmol5SQmJ9CguRH1cFSt5JB+LuSKcKEhkMExDg")
	require.NoError(t, err)
	_, files, err := install(t, "a.tar.bz2", packed, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"a/1.0.0/agent/bin"}, files)
	_, files, err = install(t, "agent-linux", []byte("#!/bin/sh\n"), func(l *registry.Launch) { l.Command = "agent-linux" })
	require.NoError(t, err)
	require.Equal(t, []string{"a/1.0.0/agent-linux"}, files, "a program without an archive")
}

func TestAnArchiveThatIsWrongLeavesNothing(t *testing.T) {
	program := member{"agent/bin", "#!/bin/sh\n", tar.TypeReg}
	for want, archive := range map[string][]byte{
		`"../out" is a path outside the archive`:               tarball(t, program, member{"../out", "x", tar.TypeReg}),
		`"a/../../out" is a path outside the archive`:          tarball(t, program, member{"a/../../out", "x", tar.TypeReg}),
		`"/tmp/out" is a path outside the archive`:             tarball(t, program, member{"/tmp/out", "x", tar.TypeReg}),
		`is a path outside the archive`:                        tarball(t, program, member{`..\out`, "x", tar.TypeReg}),
		`the link "agent/up" leads out`:                        tarball(t, program, member{"agent/up", "../../..", tar.TypeSymlink}),
		`the link "agent/etc" leads out`:                       tarball(t, program, member{"agent/etc", "/etc/passwd", tar.TypeSymlink}),
		`the link "agent/none" leads out`:                      tarball(t, program, member{"agent/none", "nothing", tar.TypeSymlink}),
		`the link "y" leads out`:                               tarball(t, program, member{"x", ".", tar.TypeSymlink}, member{"y", "x/../..", tar.TypeSymlink}),
		`"agent/hard" is neither`:                              tarball(t, program, member{"agent/hard", "agent/bin", tar.TypeLink}),
		`"agent/pipe" is neither`:                              tarball(t, program, member{"agent/pipe", "", tar.TypeFifo}),
		`exists`:                                               tarball(t, program, program),
		`the archive does not contain the program "agent/bin"`: tarball(t, member{"other", "x", tar.TypeReg}),
		`unexpected EOF`:                                       tarball(t, program)[:40],
		`gzip: invalid header`:                                 []byte("<html>not here</html>"),
	} {
		_, files, err := install(t, "a.tar.gz", archive, nil)
		require.ErrorContains(t, err, want)
		require.Empty(t, files, want)
	}
	for want, archive := range map[string][]byte{
		`"../out" is a path outside the archive`: zipped(t, program, member{"../out", "x", tar.TypeReg}),
		`the link "up" leads out`:                zipped(t, program, member{"up", "../../../..", tar.TypeSymlink}),
		`zip: not a valid zip file`:              []byte("not a zip"),
	} {
		_, files, err := install(t, "a.zip", archive, nil)
		require.ErrorContains(t, err, want)
		require.Empty(t, files, want)
	}
}

func TestAnArchiveWithAnotherChecksumIsRefused(t *testing.T) {
	archive := tarball(t, member{"agent/bin", "#!/bin/sh\n", tar.TypeReg})
	_, files, err := install(t, "a.tar.gz", archive, func(l *registry.Launch) { l.SHA256 = strings.Repeat("0", 64) })
	require.ErrorContains(t, err, "the archive was deleted because its SHA-256 is")
	require.Empty(t, files)
	_, files, err = install(t, "a.tar.gz", archive, func(l *registry.Launch) { l.SHA256 = "" })
	require.NoError(t, err, "there is none to compare")
	require.Len(t, files, 1)
}

func TestARemoteRegistryCannotNameALocalServer(t *testing.T) {
	l := &registry.Launch{Way: registry.Binary, Command: "a", Archive: "http://127.0.0.1:1/a.zip"}
	err := l.Install(t.Context(), registry.Place{Data: t.TempDir(), ID: "a", Version: "1.0.0"}, false)
	require.ErrorContains(t, err, "which an online registry may not refer to")
}
