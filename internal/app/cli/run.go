package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/bridge"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/protocol"
)

// maxPrompt bounds a prompt that is read from stdin: one line of the protocol
// must hold it, with room for its escapes.
const maxPrompt = protocol.MaxLine / 2

func newRun(log *logOptions) *cobra.Command {
	var o agentOptions
	var journal journalOptions
	var yes, deny, asJSON, goOn bool
	var cwd, resume string
	cmd := &cobra.Command{
		Use:   "run [flags] [PROMPT] [-- COMMAND [ARG...]]",
		Short: "Run one turn in the terminal",
		Long: `Run one turn in the terminal, through the same bridge that an editor uses.

Without a PROMPT it is read from stdin. COMMAND and --agent are as for "turnwire
acp"; without them the embedded workspace agent answers ("/help" says what it
can do).

A new session begins, unless --continue or --resume says which one goes on. The
agent remembers what was said in it, as far as agents can. "turnwire sessions"
lists them.

If a tool needs a confirmation, you answer with a single key. Without a
terminal the tool is refused, unless --yes is given.

Exit codes: 0 the turn ended, 1 it failed, 2 a wrong command line, 3 the agent
refused or stopped at a limit, 130 cancelled.`,
		Example: examples(
			`turnwire run "/list"`,
			`turnwire run "/edit main.go foo => bar"`,
			`turnwire run --yes "/run go test ./..." > log.txt`,
			`echo "what is here?" | turnwire run --json`,
			`turnwire run "hello" -- python3 my_agent.py`,
			`turnwire run --agent agentao "what is here?"`,
			`turnwire run --agent agentao --continue "and what is it for?"`,
			`turnwire run --resume tw-3k9 "go on"`,
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			if dashed && len(after) == 0 {
				return usagef("there is no command after --")
			}
			if len(before) > 1 {
				return usagef("one prompt at most: put it in quotation marks")
			}
			if yes && deny {
				return usagef("--yes and --deny exclude each other")
			}
			if goOn && cmd.Flags().Changed("resume") {
				return usagef("--continue and --resume exclude each other")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var before []string
			before, o.command, _ = splitAtDash(cmd, args)
			prompt, err := readPrompt(before)
			if err != nil {
				return err
			}
			dir, err := filepath.Abs(cwd)
			if err != nil {
				return err
			}
			opts := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			opts.Prompt, opts.Cwd = prompt, dir
			opts.Yes, opts.Deny, opts.JSON = yes, deny, asJSON
			opts.Continue = goOn
			if cmd.Flags().Changed("resume") {
				if err := resumed(&o, &opts, resume, cmd.Flags().Changed("cwd")); err != nil {
					return err
				}
			}
			return runTurn(cmd.Context(), o, *log, journal, opts)
		},
	}
	o.addName(cmd)
	o.addDialect(cmd)
	o.addReplay(cmd)
	journal.add(cmd)
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "allow every tool that asks")
	cmd.Flags().BoolVar(&deny, "deny", false, "refuse every tool that asks")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each update as it arrives, one JSON object a line")
	cmd.Flags().StringVarP(&cwd, "cwd", "C", ".", "work in `DIR`")
	cmd.Flags().BoolVarP(&goOn, "continue", "c", false, "go on with the newest session of the agent in this folder")
	cmd.Flags().StringVar(&resume, "resume", "", "go on with the session `ID`, in its folder and with its agent")
	_ = cmd.RegisterFlagCompletionFunc("resume", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeSession(typed)
	})
	return cmd
}

// readPrompt takes the prompt from the arguments, or from stdin if that is not
// a terminal.
func readPrompt(args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	if isatty.IsTerminal(os.Stdin.Fd()) {
		return "", usagef("there is no prompt")
	}
	text, err := io.ReadAll(io.LimitReader(os.Stdin, maxPrompt+1))
	if err != nil {
		return "", fmt.Errorf("reading the prompt: %w", err)
	}
	if len(text) > maxPrompt {
		return "", fmt.Errorf("the prompt is longer than %d bytes", maxPrompt)
	}
	if strings.TrimSpace(string(text)) == "" {
		return "", usagef("there is no prompt")
	}
	return string(text), nil
}

// runTurn connects the terminal to a bridge by two pipes in memory.
func runTurn(ctx context.Context, o agentOptions, l logOptions, j journalOptions, opts terminal.Options) (err error) {
	choice, err := o.open(opts.Cwd)
	if err != nil {
		return err
	}
	log, logFile, err := l.open()
	if err != nil {
		return err
	}
	defer func() { err = closeWith(logFile, err) }()
	store, stopPruning, err := j.open(o.config, log)
	if err != nil {
		return err
	}
	defer stopPruning()
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchOutput(os.Stdout, cancel)()
	opts.Log = log
	opts.TerminalOutput = choice.Relayed != nil

	fromClient, toBridge := io.Pipe()
	fromBridge, toClient := io.Pipe()
	var served sync.WaitGroup
	served.Go(func() {
		if err := serveChoice(context.WithoutCancel(ctx), choice, bridge.Config{
			In: fromClient, Out: toClient, CloseIn: fromClient.Close, Log: log, Join: true, Journal: store,
		}); err != nil {
			log.Error("the bridge failed", "error", err)
		}
	})
	stream := protocol.NewStream(fromBridge, toBridge, fromBridge.Close, log)
	code, err := terminal.Run(ctx, stream, opts)
	served.Wait()
	if err != nil || code != exitOK {
		return exitError{code, err}
	}
	return nil
}
