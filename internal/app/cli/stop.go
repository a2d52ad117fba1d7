package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/serve/control"
)

func newStop(*logOptions) *cobra.Command {
	var o socketOption
	cmd := &cobra.Command{
		Use:   "stop [flags]",
		Short: "Stop a running server",
		Long: `Stop the "turnwire serve" that listens on a socket, and return when it has exited.
Running turns are cancelled, and every process the server started exits with it.
Saved sessions are preserved. It fails if no server is running.`,
		Example: examples("turnwire stop", "turnwire stop --socket /run/user/1000/turnwire/work.sock"),
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := o.client()
			if err != nil {
				return err
			}
			live, err := client.Sessions(cmd.Context())
			if err != nil {
				return err
			}
			if err := client.Stop(cmd.Context()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "stopped the server, with %s open\n", countSessions(len(live)))
			return nil
		},
	}
	o.add(cmd)
	return cmd
}

// A socketOption is the address of a running server.
type socketOption struct{ path string }

func (o *socketOption) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.path, "socket", "", "the server listens on the Unix socket `PATH`; else on "+defaultSocketHelp)
}

func (o socketOption) client() (c control.Client, err error) {
	if c.Socket = o.path; c.Socket == "" {
		c.Socket, err = defaultSocket()
	}
	return c, err
}
