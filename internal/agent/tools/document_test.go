package tools

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDocumentListsAllTools(t *testing.T) {
	text, err := os.ReadFile("../../../docs/commands-and-events.md")
	require.NoError(t, err)
	for _, offered := range All() {
		require.Contains(t, string(text), "| `"+offered.Name+"` | ")
	}
}
