package sim

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var stories = flag.String("sim.stories", "", "save the stories of worlds in this `folder`, or compare them with those that are there")

// keepStory saves a world's story in a folder, or returns where it differs from the saved one.
func keepStory(t *testing.T, folder string, seed uint64, story string) (difference string) {
	t.Helper()
	path := filepath.Join(folder, fmt.Sprintf("%d.txt", seed))
	old, err := os.ReadFile(path) //nolint:gosec // the user named the folder
	if os.IsNotExist(err) {
		require.NoError(t, os.WriteFile(path, []byte(story), 0o600))
		return ""
	}
	require.NoError(t, err)
	if d := firstDifference(string(old), story); d != "" {
		return fmt.Sprintf("seed %d: %s", seed, d)
	}
	return ""
}

// firstDifference returns the first lines in which two stories differ, below their step, or
// "" if the stories are the same.
func firstDifference(a, b string) string {
	if a == b {
		return ""
	}
	as, bs := append(strings.Split(a, "\n"), "(the end)"), append(strings.Split(b, "\n"), "(the end)")
	step := ""
	for i, before := range as {
		if before != bs[i] {
			return step + "\n- " + before + "\n+ " + bs[i]
		}
		if !strings.HasPrefix(before, "      ") {
			step = before
		}
	}
	return "" // impossible
}
