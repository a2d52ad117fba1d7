package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Editors wait for each start: the linker lays out lists, and package lazy makes
// the rest later.
func TestPackagesMakeNothingWhenTheProgramStarts(t *testing.T) {
	symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", built(t)).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " "+module+"/agent/glue/wire.recognise\n", "the symbols have such names")
	made := regexp.MustCompile(`(?m) ` + regexp.QuoteMeta(module) + `/(\S+)\.(?:map\.)?init(?:\.\d+)?$`)
	for _, m := range made.FindAllStringSubmatch(string(symbols), -1) {
		require.Fail(t, "a variable or an init runs at the start", "in %s", m[1])
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
