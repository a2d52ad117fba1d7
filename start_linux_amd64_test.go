package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What package prefault puts in place is what the packages behind it touch.
func TestMemoryIsPutInPlaceBeforePackagesUseIt(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), built(t), "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	trace, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", trace)
	var order []string
	for _, m := range regexp.MustCompile(`(?m)^init (\S+) @`).FindAllStringSubmatch(string(trace), -1) {
		order = append(order, m[1])
	}
	at := slices.Index(order, module+"/"+early)
	require.GreaterOrEqual(t, at, 0, "%s is initialised", early)
	for _, later := range []string{"errors", "sync", "time", "os", "net/http"} {
		require.Greater(t, slices.Index(order, later), at, "%s is initialised later", later)
	}
}
