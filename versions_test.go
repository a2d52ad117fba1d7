package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A release puts its version into these lines, and fails if it does not find them.
func TestPackagesNameTheVersionOfTheProgram(t *testing.T) {
	text, err := os.ReadFile("internal/app/cli/version.go")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^var release = "(\d+\.\d+\.\d+)"$`).FindSubmatch(text)
	require.NotNil(t, found, "tools/release/version reads it too")
	for file, line := range map[string]string{
		"editors/registry/agent.json":         "\n  \"version\": \"%s\",\n",
		"editors/vscode/package.json":         "\n  \"version\": \"%s\",\n",
		"sdk/typescript/package.json":         "\n  \"version\": \"%s\",\n",
		"sdk/rust/Cargo.toml":                 "\nversion = \"%s\"\n",
		"sdk/rust/Cargo.lock":                 "\nname = \"turnwire-agent\"\nversion = \"%s\"\n",
		"sdk/python/src/turnwire/__init__.py": "\n__version__ = \"%s\"\n",
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), fmt.Sprintf(line, found[1])), "%s does not name %s once", file, found[1])
	}
}
