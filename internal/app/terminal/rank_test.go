package terminal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheBestFitComesFirst(t *testing.T) {
	files := []string{"internal/bridge/source/events/choice.go", "docs/commands-and-events.md", "docs/events.md", "events_test.go", "README.md"}
	for typed, want := range map[string]string{
		"events":    "docs/events.md",
		"events.md": "docs/events.md",
		"README.md": "README.md",
		"readme":    "README.md",
		"choice":    "internal/bridge/source/events/choice.go",
		"docs/comm": "docs/commands-and-events.md",
		"bsechoice": "internal/bridge/source/events/choice.go",
	} {
		found := rank(typed, files)
		require.NotEmpty(t, found, typed)
		require.Equal(t, want, files[found[0]], typed)
	}
	require.Empty(t, rank("zzz", files))
	require.Len(t, rank("", files), len(files))
}
