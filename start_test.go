package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
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

// built returns the path of the program.
func built(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "turnwire")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}
