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
	program := filepath.Join(t.TempDir(), "turnwire")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", program).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " "+module+"/agent/glue.recognise\n", "the symbols have such names")
	made := regexp.MustCompile(`(?m) ` + regexp.QuoteMeta(module) + `/(\S+)\.(?:map\.)?init(?:\.\d+)?$`)
	for _, m := range made.FindAllStringSubmatch(string(symbols), -1) {
		require.Fail(t, "a variable or an init runs at the start", "of %s", m[1])
	}
}
