package wire_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/glue/wire"
)

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(f, err)
	for _, path := range files {
		f.Add(strings.Join(lines(f, path), "\n"))
	}
	f.Fuzz(func(t *testing.T, stream string) {
		if !utf8.ValidString(stream) {
			return // readers ensure valid UTF-8
		}
		all := strings.Split(stream, "\n")
		events, _ := decode(t, wire.Dialect.NewDecoder(), all...)
		again, _ := decode(t, wire.Dialect.NewDecoder(), all...)
		require.Equal(t, events, again)
		for _, line := range all {
			wire.Dialect.Recognise([]byte(line))
			requireAlike(t, line)
		}
	})
}
