package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// starting are the packages that make something whenever the program starts.
// No other does: editors wait for each start, and it is the linker that lays
// out lists, and what package lazy makes later.
var starting = []string{"bridge", "internal/jsontext", "internal/terminal"}

func TestPackagesMakeNothingWhenTheProgramStarts(t *testing.T) {
	program := filepath.Join(t.TempDir(), "turnwire")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	symbols, err := exec.CommandContext(t.Context(), "go", "tool", "nm", program).Output()
	require.NoError(t, err)
	require.Contains(t, string(symbols), " "+module+"/agent/glue.recognise\n", "the symbols have such names")
	made := regexp.MustCompile(`(?m) ` + regexp.QuoteMeta(module) + `/(\S+)\.(?:map\.)?init(?:\.\d+)?$`)
	for _, m := range made.FindAllStringSubmatch(string(symbols), -1) {
		require.Contains(t, starting, m[1], "a variable or an init of %s runs at the start", m[1])
	}
}
