package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A tag can be moved to another commit by whoever owns the action, or has stolen
// their account; what a commit's hash names stays what it is. The version behind
// it is for people.
func TestWorkflowsNameActionsByCommit(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^[ \t-]*['"]?uses['"]?[ \t]*:[ \t]*(.*)$`)
	pinned := regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	files, err := filepath.Glob(filepath.Join(".github", "*", "*.y*ml"))
	require.NoError(t, err)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, use := range uses.FindAllSubmatch(text, -1) {
			found++
			require.Regexp(t, pinned, string(use[1]), file)
		}
	}
	require.NotZero(t, found)
}
