package cli

import "github.com/spf13/cobra"

// Command returns the complete command tree, for programs that document it.
func Command() *cobra.Command { return newRoot(nil) }
