package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/serve"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

func newAttach(log *logOptions) *cobra.Command {
	var socket socketOption
	var asJSON, observe, plain bool
	cmd := &cobra.Command{
		Use:   "attach [SESSION] [flags]",
		Short: "Watch and answer a session of a running server",
		Long: `Show a session that is open on "turnwire serve": its history, then everything that
follows, whichever client causes it. In a terminal you can answer permission
requests and questions; the first answer from any client counts. Ctrl-C detaches
and ends nothing.

SESSION is an ID or a unique prefix. It is optional if only one session is open.
Without a terminal, or with --observe, you are not asked anything.`,
		Example: examples("turnwire attach", "turnwire attach tw-3k9", "turnwire attach tw-3k9 --json | jq -c ."),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("attach takes one session ID")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := socket.client()
			if err != nil {
				return err
			}
			s, err := liveSession(cmd.Context(), client, args)
			if err != nil {
				return err
			}
			opts := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			opts.Follow, opts.Observe, opts.JSON, opts.Plain, opts.Cwd = s.ID, observe, asJSON, plain, s.Cwd
			o := agentOptions{name: "acp", url: serve.SocketURL(client.Socket, s.Agent), dialect: dialectAuto, served: true, patience: serverPatience}
			return runTurn(cmd.Context(), o, *log, journalOptions{off: true}, ruledTurn{show: terminal.Run, name: answeredIn(&opts)}, opts)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return socket.complete(cmd.Context(), args, typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	socket.add(cmd)
	addPlain(cmd, &plain)
	cmd.Flags().BoolVar(&observe, "observe", false, "only watch")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each update as one line of JSON")
	return cmd
}

// complete returns the ids of the open sessions. It ignores errors.
func (o socketOption) complete(ctx context.Context, args []string, typed string) (ids []string) {
	client, err := o.client()
	if err != nil || len(args) > 0 {
		return nil
	}
	all, _ := client.Sessions(ctx)
	for _, s := range all {
		if strings.HasPrefix(s.ID, typed) {
			ids = append(ids, cobra.CompletionWithDesc(s.ID, printable(stateOf(s)+" in "+s.Cwd)))
		}
	}
	return ids
}

// liveSession returns the session named in args.
func liveSession(ctx context.Context, client control.Client, args []string) (found control.Session, err error) {
	all, err := client.Sessions(ctx)
	if err != nil {
		return found, err
	}
	typed := ""
	if len(args) > 0 {
		typed = args[0]
	}
	fit, err := sessionAmong(all, typed)
	switch {
	case err != nil:
		return found, err
	case fit != nil:
		return *fit, nil
	case typed != "":
		return found, fmt.Errorf("no open session %q on the server; turnwire sessions live lists open sessions", typed)
	}
	return found, errors.New("no session is open on the server")
}

// sessionAmong returns the session whose id is typed or begins with it. It returns nil if
// none matches, and an error if several do.
func sessionAmong(all []control.Session, typed string) (*control.Session, error) {
	var fit []*control.Session
	for i, s := range all {
		if s.ID == typed {
			return &all[i], nil
		}
		if strings.HasPrefix(s.ID, typed) {
			fit = append(fit, &all[i])
		}
	}
	switch len(fit) {
	case 0:
		return nil, nil //nolint:nilnil // no match is not an error
	case 1:
		return fit[0], nil
	}
	return nil, severalMatch(fit)
}

// maxListed limits how many sessions an error lists.
const maxListed = 10

func severalMatch(fit []*control.Session) error {
	var list strings.Builder
	for i, s := range fit {
		if i == maxListed {
			fmt.Fprintf(&list, "\n  and %d more: see turnwire sessions live", len(fit)-i)
			break
		}
		fmt.Fprintf(&list, "\n  %s  %s in %s", s.ID, stateOf(*s), printable(s.Cwd))
	}
	return fmt.Errorf("%s match; name one of them:%s", countSessions(len(fit)), list.String())
}
