package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/policy"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/bridge/consent"
	"github.com/turnwire/turnwire/internal/bridge/core"
	"github.com/turnwire/turnwire/internal/bridge/view/acp"
	"github.com/turnwire/turnwire/protocol"
)

func newRun(log *logOptions) *cobra.Command {
	var o agentOptions
	var journal journalOptions
	var yes, deny, asJSON, goOn bool
	var cwd, resume string
	var scripted scriptOptions
	var server serverChoice
	cmd := &cobra.Command{
		Use:   "run [flags] [PROMPT] [-- COMMAND [ARG...]]",
		Short: "Run one turn with an agent",
		Long: `Run one turn with an agent in the terminal.

Without PROMPT, the prompt is read from stdin. Otherwise piped input is appended to
it; "-" waits for that input without a limit. COMMAND and --agent are as for
"turnwire acp"; without them the built-in workspace agent answers ("/help" lists
its commands).

A new session starts unless --continue or --resume selects an existing one.
Whether the agent remembers the conversation depends on the agent. "turnwire
sessions" lists saved sessions.

With --server, the turn runs on "turnwire serve", in a new session or in one that
other clients share. The server's rules decide first; command-line rules answer the
rest. The turn continues if this process exits.

You answer permission requests with a single key. Keys count 0.7 seconds after the
question appears or you last typed; a mark shows when. Without a terminal, requests
are denied unless --yes, --allow or --policy permits them. --allow takes kinds of
calls, optionally with a path pattern or the start of a command: read, edit:src/**,
"execute:git status *". A policy is a file of such rules:

  {"rules": [{"deny": "edit:**/.env"}, {"allow": "read"}], "default": "deny"}

The first matching rule decides: the policy file first, then --allow, then
turnwire.json. Rules trust the agent's description of the call.

Exit codes: 0 the turn ended, 1 it failed, 2 wrong command line, 3 the agent refused
or reached a limit, 130 cancelled.`,
		Example: examples(
			`turnwire run "/list"`,
			`turnwire run "/edit main.go foo => bar"`,
			`turnwire run --yes "/run go test ./..." > log.txt`,
			`echo "what is here?" | turnwire run --json`,
			`turnwire run "hello" -- python3 my_agent.py`,
			`turnwire run --agent claude "what is here?"`,
			`turnwire run --agent agentao "what is here?"`,
			`turnwire run --agent agentao --continue "and what is it for?"`,
			`turnwire run --resume tw-3k9 "go on"`,
			`git diff | turnwire run --quiet "review this" > review.md`,
			`turnwire run --allow read,edit:src/** --timeout 10m --agent codex "fix the test"`,
			`turnwire run --server --agent ethos "what is new?"`,
			`turnwire run --server --resume tw-3k9 --yes "go on"`,
			`turnwire run --attach notes.md --image screen.png "what is wrong here?"`,
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			if dashed && len(after) == 0 {
				return usagef("no command after --")
			}
			if len(before) > 2 || len(before) == 2 && before[1] != fromStdin {
				return usagef("only one prompt is allowed: put it in quotes%s", forgottenDash("run", before))
			}
			if yes && deny {
				return usagef("--yes and --deny cannot be used together")
			}
			if err := scripted.check(asJSON); err != nil {
				return err
			}
			if goOn && cmd.Flags().Changed("resume") {
				return usagef("--continue and --resume cannot be used together")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var before []string
			before, o.command, _ = splitAtDash(cmd, args)
			prompt, input, err := readPrompt(before)
			if err != nil {
				return err
			}
			dir, err := filepath.Abs(cwd)
			if err != nil {
				return err
			}
			opts := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
			opts.Prompt, opts.Input, opts.Cwd = prompt, input, dir
			if err := scripted.apply(&opts); err != nil {
				return err
			}
			opts.Yes, opts.Deny, opts.JSON = yes, deny, asJSON
			opts.Continue = goOn
			if cmd.Flags().Changed("resume") {
				if err := server.resumed(cmd.Context(), &o, &opts, resume, cmd.Flags().Changed("cwd")); err != nil {
					return err
				}
			}
			if _, err := server.attach(&o, &journal); err != nil {
				return err
			}
			o.patience = serverPatience
			rules, err := scripted.rules()
			if err != nil {
				return err
			}
			if err := o.offer(cmd, dir); err != nil {
				return err
			}
			return runTurn(cmd.Context(), o, *log, journal, ruledTurn{record: scripted.record, rules: rules, show: terminal.Run, name: answeredIn(&opts)}, opts)
		},
	}
	o.addName(cmd)
	o.addDialect(cmd)
	o.addReplay(cmd)
	journal.add(cmd)
	scripted.add(cmd)
	server.add(cmd, "")
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "allow all permission requests")
	cmd.Flags().BoolVar(&deny, "deny", false, "deny all permission requests")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each update as one line of JSON, and the result last")
	addSession(cmd, &cwd, &goOn, &resume)
	return cmd
}

// addSession adds the flags for the folder and the session.
func addSession(cmd *cobra.Command, cwd *string, goOn *bool, resume *string) {
	cmd.Flags().StringVarP(cwd, "cwd", "C", ".", "run in the folder `DIR`")
	cmd.Flags().BoolVarP(goOn, "continue", "c", false, "continue the agent's newest session in this folder")
	cmd.Flags().StringVar(resume, "resume", "", "resume the session `ID` in its folder, with its agent")
	_ = cmd.RegisterFlagCompletionFunc("resume", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return completeSession(typed)
	})
}

// answeredIn returns the name, for the audit log, of what answers the agent's requests.
func answeredIn(o *terminal.Options) string {
	switch {
	case o.Yes:
		return "turnwire run --yes"
	case o.Deny:
		return "turnwire run --deny"
	case !o.Interactive || o.JSON || o.Quiet:
		return "turnwire run without a terminal"
	}
	return "turnwire run"
}

// A ruledTurn holds the settings of a turn that the terminal doesn't need.
type ruledTurn struct {
	record string         // the file for the turn's events; "" if none
	rules  *policy.Policy // from the command line
	show   func(context.Context, jsonrpc2.ObjectStream, terminal.Options) (int, error)
	name   string // of the client, for the audit log
	// again reports whether to show another session, which it sets in the options. If
	// nil, the run ends after the first.
	again func(*terminal.Options) bool
}

// runTurn connects the terminal to a bridge through two in-memory pipes.
func runTurn(ctx context.Context, o agentOptions, l logOptions, j journalOptions, t ruledTurn, opts terminal.Options) (err error) {
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
	config := core.Config{Log: log, Prepare: len(opts.Images) > 0}
	if err := o.decide(&config, t.rules, log); err != nil {
		return err
	}
	if t.record != "" && store == nil {
		var remove func() error
		if store, remove, err = temporaryStore(); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, remove()) }()
	}
	var session string
	opts.Opened = func(id string) { session = id }
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go watchOutput(os.Stdout, cancel)()
	opts.Log = log
	opts.TerminalOutput = choice.Relayed != nil

	measured, finish, err := openTelemetry(log, false)
	if err != nil {
		return err
	}
	defer finish()
	var failed error
	serve := func(in io.ReadCloser, out io.WriteCloser) {
		config.Journal = store
		client := acp.Config{In: in, Out: out, Log: log, Client: consent.Client{Name: t.name}, Join: true}
		if err := o.serve(context.WithoutCancel(ctx), measured, choice, config, client); err != nil {
			log.Error("the bridge failed", "error", err)
			failed = err
		}
	}
	code, err := t.showWith(ctx, serve, opts)
	for err == nil && t.again != nil && t.again(&opts) {
		code, err = t.showWith(ctx, serve, opts)
	}
	if errors.Is(err, terminal.ErrClosed) && failed != nil {
		err = failed // it says why
	}
	if t.record != "" && err == nil {
		err = recordTurn(t.record, store, session)
	}
	if err != nil || code != exitOK {
		return exitError{code, err}
	}
	return nil
}

// showWith runs serve and shows its session. It returns after serve has returned.
func (t *ruledTurn) showWith(ctx context.Context, serve func(in io.ReadCloser, out io.WriteCloser), opts terminal.Options) (int, error) {
	fromClient, toBridge := io.Pipe()
	fromBridge, toClient := io.Pipe()
	var served sync.WaitGroup
	served.Go(func() { serve(fromClient, toClient) })
	defer served.Wait()
	return t.show(ctx, protocol.NewStream(fromBridge, toBridge, fromBridge.Close, opts.Log), opts)
}
