package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Releases are made with the toolchain that go.mod names. Checks and
// measurements must not use another one.
func TestModulesNameTheSameToolchain(t *testing.T) {
	line := regexp.MustCompile(`(?m)^toolchain (go\d+\.\d+\.\d+)$`)
	var want string
	for _, file := range []string{"go.mod", "bench/go.mod", "test/nats/go.mod", "tools/go.mod", "tools/goreleaser/go.mod", "tools/release/go.mod"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := line.FindSubmatch(text)
		require.NotNil(t, found, "%s names no toolchain", file)
		if want == "" {
			want = string(found[1])
		}
		require.Equal(t, want, string(found[1]), file)
	}
}
