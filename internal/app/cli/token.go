package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/push"
	"github.com/turnwire/turnwire/internal/app/tokens"
)

// madeToken is a token in the output of "turnwire token list --json".
type madeToken struct {
	Name    string     `json:"name"`
	Created time.Time  `json:"created"`
	Expires *time.Time `json:"expires"` // null if it never expires
	Expired bool       `json:"expired"`
	Watches bool       `json:"watches"`
}

func newToken(*logOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Create, list and revoke server tokens",
		Long: `Create, list and revoke the tokens that clients use to connect to "turnwire serve".
Only their hashes are stored, in tokens.json in the state folder. Changes take effect
immediately: clients using a revoked token are disconnected within seconds.`,
		Example: examples(
			"turnwire token create laptop > laptop.token",
			"turnwire token create ci --expires 720h",
			"turnwire token list",
			"turnwire token revoke laptop",
		),
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTokenCreate(), newTokenList(), newTokenRevoke())
	return cmd
}

func newTokenCreate() *cobra.Command {
	var valid time.Duration
	var watches bool
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Create a token and print it",
		Long: `Create a token and print it; it is not shown again. Pass it to a client in a file
(--token-file) or in $TURNWIRE_TOKEN. Anyone who has it can run agents as you; with
--watch, they can only watch open sessions.`,
		Example: examples(
			"turnwire token create laptop > laptop.token",
			"turnwire token create ci --expires 720h",
			"turnwire token create wall --watch",
		),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name the token: turnwire token create NAME")
			}
			if valid < 0 {
				return usagef("--expires must not be negative")
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := tokenStore()
			if err != nil {
				return err
			}
			create := store.Create
			if watches {
				create = store.CreateWatching
			}
			text, err := create(args[0], valid)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
	cmd.Flags().DurationVar(&valid, "expires", 0, "expire after `TIME`, such as 720h (0 = never)")
	cmd.Flags().BoolVar(&watches, "watch", false, "only allow watching open sessions")
	_ = cmd.RegisterFlagCompletionFunc("expires", cobra.NoFileCompletions)
	return cmd
}

func newTokenList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List tokens",
		Long:    `List the tokens with their creation and expiry times and permissions.`,
		Example: examples("turnwire token list", "turnwire token list --json"),
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := tokenStore()
			if err != nil {
				return err
			}
			all, err := store.List()
			if err != nil {
				return err
			}
			if asJSON {
				return writeTokensJSON(cmd.OutOrStdout(), all, time.Now())
			}
			return tabulateTokens(cmd.OutOrStdout(), all, time.Now())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func writeTokensJSON(w io.Writer, all []tokens.Token, now time.Time) error {
	list := make([]madeToken, 0, len(all))
	for _, t := range all {
		list = append(list, madeToken{t.Name, t.Created, t.Expires, t.Expired(now), t.Watches})
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(list)
}

func tabulateTokens(w io.Writer, all []tokens.Token, now time.Time) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "NAME\tCREATED\tEXPIRES\tMAY")
	for _, t := range all {
		expires := "never"
		if t.Expires != nil {
			expires = t.Expires.Format(time.RFC3339)
		}
		if t.Expired(now) {
			expires += " (expired)"
		}
		may := "work"
		if t.Watches {
			may = "watch"
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\n", t.Name, t.Created.Format(time.RFC3339), expires, may)
	}
	return out.Flush()
}

func newTokenRevoke() *cobra.Command {
	return &cobra.Command{
		Use:     "revoke NAME...",
		Short:   "Revoke tokens",
		Long:    `Revoke tokens permanently. If one of the names is unknown, none is revoked.`,
		Example: examples("turnwire token revoke laptop"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name the tokens: turnwire token revoke NAME...")
			}
			return nil
		},
		ValidArgsFunction: completeTokens,
		RunE: func(_ *cobra.Command, args []string) error {
			store, err := tokenStore()
			if err != nil {
				return err
			}
			if err := store.Revoke(args...); err != nil {
				return err
			}
			folder, err := config.StateFolder()
			if err != nil {
				return err
			}
			return push.Revoke(folder, args...)
		},
	}
}

func completeTokens(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	if store, err := tokenStore(); err == nil {
		all, _ := store.List()
		for _, t := range all {
			names = append(names, t.Name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
