package cli

import "github.com/spf13/cobra"

// Command is the whole command line, for what documents it.
func Command() *cobra.Command { return newRoot(nil) }
