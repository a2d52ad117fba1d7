package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// early is the one package that does something before main begins.
const early = "internal/prefault"

// Editors wait for each start: the linker lays out lists, and package lazy makes
// the rest later.
func TestPackagesMakeNothingWhenTheProgramStarts(t *testing.T) {
	symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", built(t)).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " "+module+"/agent/glue.recognise\n", "the symbols have such names")
	made := regexp.MustCompile(`(?m) ` + regexp.QuoteMeta(module) + `/(\S+)\.(?:map\.)?init(?:\.\d+)?$`)
	for _, m := range made.FindAllStringSubmatch(string(symbols), -1) {
		require.Equal(t, early, m[1], "a variable or an init runs at the start")
	}
}

// What package prefault puts in place is what the packages behind it touch.
func TestMemoryIsPutInPlaceBeforePackagesUseIt(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("package prefault does nothing here")
	}
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

// built returns the path of the program.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "turnwire")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}
