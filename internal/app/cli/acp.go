package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/source/events"
	"github.com/turnwire/turnwire/internal/bridge/source/relay"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
)

func newACP(log *logOptions) *cobra.Command {
	var o agentOptions
	var join bool
	var sessions int
	var journal journalOptions
	var server serverChoice
	cmd := &cobra.Command{
		Use:   "acp [flags] [-- COMMAND [ARG...]]",
		Short: "Serve an agent to an editor over stdin and stdout",
		Long: `Serve an agent to an editor: speak the Agent Client Protocol (ACP) on stdin and
stdout. Editors run this command; "turnwire setup" configures them to.

COMMAND starts an agent: a program that reads commands on stdin and prints
events on stdout, one JSON object per line. --agent selects an agent by name
instead; "turnwire agents" lists the names. With both, COMMAND replaces the named
agent's own program. An agent that already speaks ACP (--agent claude, or --agent acp
for any other) is passed through unchanged. Without either, the built-in workspace agent answers; it needs
no model and no network.

With --server, or if "server" is set in turnwire.json, the sessions belong to
"turnwire serve" and continue after this process exits.

The command exits on EOF, SIGTERM or SIGINT (exit code 0), or when stdout is
closed. All processes it started exit with it.`,
		Example: examples(
			"turnwire acp",
			"turnwire acp -- python3 my_agent.py",
			"turnwire acp --agent ethos",
			"turnwire acp --agent awaken --url http://localhost:8080 --header 'Authorization: Bearer $TOKEN'",
			"turnwire acp --agent claude",
			"turnwire acp --agent acp -- some-agent acp",
			"turnwire acp --agent acp --url wss://build.example.org/acp --token-file ~/.config/turnwire/build.token",
			"turnwire acp --server --agent ethos",
			"turnwire acp --replay turn.jsonl",
			"turnwire acp --replay tw-3k9",
			"turnwire acp --log-file /tmp/turnwire.log --log-level debug -- ./agent",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			if len(before) > 0 {
				return usagef("put -- before the command: turnwire acp -- %s", before[0])
			}
			if dashed && len(after) == 0 {
				return usagef("no command after --")
			}
			if sessions < 1 {
				return usagef("--max-sessions must be at least 1")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			_, o.command, _ = splitAtDash(cmd, args)
			if err := server.attachOr(&o, &journal); err != nil {
				return err
			}
			return serveEditor(cmd.Context(), o, *log, journal, sessions, join)
		},
	}
	o.addName(cmd)
	o.addDialect(cmd)
	o.addReplay(cmd)
	journal.add(cmd)
	server.add(cmd, ", or \"none\" to ignore turnwire.json")
	cmd.Flags().BoolVar(&join, "join", true, "merge text deltas that arrive together or while the editor is busy")
	cmd.Flags().IntVar(&sessions, "max-sessions", core.DefaultMaxSessions, "maximum number of open sessions")
	return cmd
}

// serveEditor serves the editor on stdin and stdout. sessions limits the number of open
// sessions; join allows text deltas to be joined.
func serveEditor(ctx context.Context, o agentOptions, l logOptions, j journalOptions, sessions int, join bool) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	choice, err := o.open(".")
	if err != nil {
		return err
	}
	if choice.Relayed != nil && isatty.IsTerminal(os.Stdin.Fd()) && isatty.IsTerminal(os.Stdout.Fd()) {
		if choice.Relayed.URL != "" {
			return errors.New("the agent is a server, so it cannot be logged in from this terminal: log in where it runs")
		}
		return runInTerminal(choice.Relayed)
	}
	log, logFile, err := l.open()
	if err != nil {
		return err
	}
	measured, finish, err := openTelemetry(log, false)
	if err != nil {
		return closeWith(logFile, err)
	}
	defer finish()
	out, err := takeStdout()
	if err != nil {
		return closeWith(logFile, err)
	}
	store, stopPruning, err := j.open(o.config, log)
	if err != nil {
		return closeWith(logFile, err)
	}
	defer stopPruning()
	// Editors need the agent's capabilities for the initialize response.
	config := core.Config{Log: log, MaxSessions: sessions, Journal: store, Prepare: true}
	if err := o.decide(&config, nil, log); err != nil {
		return closeWith(logFile, err)
	}
	client := acp.Config{In: os.Stdin, Out: &settling{WriteCloser: out}, Log: log, Client: consent.Client{Transport: "stdio"}, Join: join}
	go watchOutput(out, cancel)()
	defer measured.Connected(choice.Key, "stdio", "")()
	return closeWith(logFile, o.serve(ctx, measured, choice, config, client))
}

// sourceOf creates the source of an agent's sessions for a view. An agent that speaks ACP
// itself is relayed.
func sourceOf(choice agents.Choice, config core.Config, v core.View) core.Source {
	config.Key, config.Version = choice.Key, version()
	if choice.Relayed == nil {
		return events.New(events.Config{Config: config, Agent: choice.Agent, Tools: choice.Tools}, v)
	}
	a := *choice.Relayed
	a.Login = loginPrefix(choice)
	return relay.New(relay.Config{Config: config, Agent: a, Cache: cacheFolder()}, v)
}

// cacheFolder returns the folder for data that can be recreated, or "" if the user has no
// cache folder.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "turnwire")
}
