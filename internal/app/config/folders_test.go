package config_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/config"
)

func TestFoldersAreRelativeToTheFile(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "turnwire.json")
	elsewhere := filepath.Join(dir, "elsewhere")
	p := config.Places{Own: own}
	all, err := p.Folders()
	require.NoError(t, err)
	require.Empty(t, all)
	writeFile(t, own, `{"folders": ["src/tea", "`+filepath.ToSlash(elsewhere)+`"]}`)
	all, err = p.Folders()
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "src", "tea"), elsewhere}, all)
	_, err = config.Parse("f", []byte("{\n\"folders\": [\"\"]}"))
	require.EqualError(t, err, "f:2: folders: must not contain an empty path")
}
