package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEachToolIsInTheTableOnceAndCompletely(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range tools {
		require.NotEmpty(t, tool.Kind, tool.Name)
		require.NotEmpty(t, tool.Verb, tool.Name)
		require.False(t, seen[tool.Name], tool.Name)
		seen[tool.Name] = true
	}
}
