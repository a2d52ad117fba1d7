package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachMutationChangesOnePlace(t *testing.T) {
	names := make(map[string]bool)
	for _, m := range mutations {
		require.False(t, names[m.name], m.name)
		names[m.name] = true
		text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(m.file)))
		require.NoError(t, err, m.name)
		if n := strings.Count(string(text), m.old); n != 1 {
			t.Errorf("%s: %s contains the old text %d times", m.name, m.file, n)
		}
	}
}
