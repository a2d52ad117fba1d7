package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/app/cli"
)

// option matches the options in a help text.
var option = regexp.MustCompile(`(?m)^ +(?:-\w, +)?(--[a-z-]+)`)

func TestTheDocumentHasEveryCommandAndOption(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "command-line.md"))
	require.NoError(t, err)
	document := string(text)
	var check func(*cobra.Command)
	check = func(c *cobra.Command) {
		for _, m := range option.FindAllStringSubmatch(c.LocalFlags().FlagUsages(), -1) {
			require.Regexp(t, m[1]+`\b`, document, "an option of %s", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			require.Contains(t, document, "`"+sub.CommandPath())
			check(sub)
		}
	}
	check(cli.Command())
}
