package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The owner of an action, or a thief of the owner's account, can move a tag to
// another commit. The hash of a commit always names the same content. The
// version after it is for readers.
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
