package registry

import (
	"archive/tar"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnArchivesContentIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "archive")
	f, err := os.Create(path)
	require.NoError(t, err)
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for _, name := range []string{"a", "b", "c"} {
		require.NoError(t, w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: 1000}))
		_, err := w.Write(make([]byte, 1000))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())

	bytes, files := maxUnpacked, maxFiles
	defer func() { maxUnpacked, maxFiles = bytes, files }()
	maxUnpacked, maxFiles = 3000, 3
	require.NoError(t, unpack(t.Context(), path, kindGzip, t.TempDir(), ""))
	maxUnpacked = 2999
	require.EqualError(t, unpack(t.Context(), path, kindGzip, t.TempDir(), ""), "its files are larger than 2999 bytes in total")
	maxUnpacked, maxFiles = 3000, 2
	require.EqualError(t, unpack(t.Context(), path, kindGzip, t.TempDir(), ""), "it has more than 2 files")
}
