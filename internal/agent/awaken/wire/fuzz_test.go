package wire_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/turnwire/turnwire/internal/agent/awaken/wire"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Two decoders yield the same events for a stream, and a driver's decoder
// yields no more.
func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(f, err)
		f.Add(archive.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, second, driven := newStream(t), newStream(t), drive(t)
		for line := range bytes.SplitSeq(rawjson.Valid(data), []byte("\n")) {
			wire.Dialect.Recognise(line)
			want, wrong := first.try(string(line))
			got, err := second.try(string(line))
			require.Equal(t, want, got)
			require.Equal(t, wrong == nil, err == nil)
			_, _ = driven.try(string(line))
		}
	})
}
