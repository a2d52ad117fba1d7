package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/check"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/terminal"
)

// documents is the base URL of the documentation.
const documents = "https://github.com/turnwire/turnwire/blob/main/docs/"

// checkOptions are the flags of "turnwire check".
type checkOptions struct {
	agent   agentOptions
	json    bool
	sarif   bool
	strict  bool
	acp     bool
	dir     string
	prompt  string
	timeout time.Duration
}

func newCheck(*logOptions) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [flags] FILE|-  |  check [flags] -- COMMAND [ARG...]  |  check [flags] --url URL",
		Short: "Check an agent or an event stream for errors",
		Long: `Run an agent through a few turns, or read an event stream (- for stdin), and
report what is wrong: the line, the position, and how to fix it.

COMMAND gets three prompts: one whose requests are allowed and answered, one that
is cancelled halfway, and one whose permission requests are denied. Then its stdin
is closed. It runs in an empty folder unless --cwd names another one.

With --acp, COMMAND speaks the Agent Client Protocol itself. It is also sent
invalid JSON, an unknown method and an unknown session.

With --url, an AG-UI server gets the same three prompts.

The rules: ` + documents + `check-rules.md

Exit codes: 0 no errors, 1 errors (or, with --strict, warnings), 2 wrong command
line.`,
		Example: examples(
			"turnwire check -- python3 my_agent.py",
			"turnwire check --strict recording.jsonl",
			"my_agent < prompt.json | turnwire check -",
			"turnwire check --dialect awaken stream.sse",
			"turnwire check --acp -- claude-agent-acp",
			"turnwire check --url http://localhost:8000/agent --header 'Authorization: Bearer $TOKEN'",
			"turnwire check --sarif -- ./my_agent > check.sarif",
		),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			switch {
			case len(o.agent.headers) > 0 && o.agent.url == "":
				return usagef("--header needs --url")
			case o.agent.url != "" && (dashed || len(before) > 0 || o.acp || cmd.Flags().Changed("dialect")):
				return usagef("--url cannot be used with a file, a command, --acp or --dialect")
			case dashed && len(after) == 0:
				return usagef("no command after --")
			case dashed && len(before) > 0:
				return usagef("give a file or a command, not both")
			case !dashed && len(before) != 1 && o.agent.url == "":
				return usagef("give one FILE, - for stdin, -- COMMAND, or --url URL")
			case o.acp && (!dashed || cmd.Flags().Changed("dialect")):
				return usagef("--acp needs -- COMMAND and cannot be used with --dialect")
			case o.json && o.sarif:
				return usagef("--json and --sarif cannot be used together")
			case o.timeout <= 0:
				return usagef("--timeout must be positive")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			before, after, _ := splitAtDash(cmd, args)
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			if o.agent.url != "" {
				return o.server(ctx, cmd.OutOrStdout())
			}
			all := dialects.All()
			if len(after) > 0 {
				all = dialects.Driven()
			}
			d, err := o.language(all)
			if err != nil {
				return err
			}
			if len(after) > 0 {
				o.agent.command = after
				return o.command(ctx, cmd.OutOrStdout(), d)
			}
			return o.file(cmd, before[0], d)
		},
	}
	o.agent.addDialect(cmd)
	o.agent.addServer(cmd, "check the AG-UI server at `URL`")
	f := cmd.Flags()
	f.BoolVar(&o.json, "json", false, "print one JSON object per line, and a summary")
	f.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0")
	f.BoolVar(&o.acp, "acp", false, "COMMAND speaks the Agent Client Protocol, version 1")
	f.BoolVar(&o.strict, "strict", false, "treat warnings as errors")
	f.StringVarP(&o.dir, "cwd", "C", "", "run COMMAND in `DIR` (default: an empty folder)")
	f.StringVar(&o.prompt, "prompt", "Say hello.", "the prompt `TEXT`")
	f.DurationVar(&o.timeout, "timeout", 30*time.Second, "time limit for each turn, `TIME`")
	_ = cmd.RegisterFlagCompletionFunc("prompt", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return cmd
}

// language returns the dialect of the events. Unless it was chosen, it may be any of all.
func (o *checkOptions) language(all []dialect.Dialect) (check.Language, error) {
	native := all[len(all)-1]
	l := check.Language{Dialect: native, Native: func(name string) bool { return name == native.Name }}
	if o.agent.dialect == dialectAuto {
		l.Others = all[:len(all)-1]
		return l, nil
	}
	var err error
	var d dialect.Dialect
	if d, err = o.agent.findDialect(); err == nil {
		l.Dialect = d
	}
	return l, err
}

// writer returns the writer for findings about name.
func (o *checkOptions) writer(out io.Writer, name string) check.Writer {
	switch {
	case o.json:
		return &check.JSON{Out: out, Name: name, Docs: documents}
	case o.sarif:
		return &check.SARIF{Out: out, Name: name, Version: version(), Docs: documents}
	}
	t := terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	text := &check.Text{Out: out, Name: name, Docs: documents}
	if isatty.IsTerminal(os.Stdout.Fd()) {
		text.Colour, text.Width = t.Colour, t.Width()
	}
	return text
}

// verdict ends a report and turns its result into an exit code.
func (o *checkOptions) verdict(r *check.Report, lines int) error {
	summary, err := r.End(lines)
	if err != nil {
		return err
	}
	return verdict(!summary.Fails(o.strict))
}

// file checks an event stream.
func (o *checkOptions) file(cmd *cobra.Command, name string, l check.Language) error {
	in := cmd.InOrStdin()
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	} else {
		name = "stdin"
	}
	report := &check.Report{Writer: o.writer(cmd.OutOrStdout(), name), Each: 3}
	lines, err := check.Stream(in, l, report.Tell)
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return o.verdict(report, lines)
}

// command checks an agent.
func (o *checkOptions) command(ctx context.Context, out io.Writer, l check.Language) (err error) {
	args := o.agent.command
	dir := o.dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "turnwire-check-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		args = wholePaths(args)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	report := &check.Report{Writer: o.writer(out, "stdout"), Each: 1}
	run := check.Agent
	if o.acp {
		run = check.ACP
	}
	lines, err := run(ctx, check.Options{
		Args: args, Dir: dir, Language: l, Timeout: o.timeout, Prompt: o.prompt, Tell: report.Tell, Step: o.progress(),
		Misuse: agents.Misuse(o.agent.command),
	})
	if err != nil {
		return err
	}
	return o.verdict(report, lines)
}

// server checks an AG-UI server.
func (o *checkOptions) server(ctx context.Context, out io.Writer) error {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return err
	}
	raw := new(check.Wire)
	choice, err := agents.New(nil).Open(agents.Request{Name: config.TypeAGUI, URL: o.agent.url, Headers: o.agent.headers, Tap: raw.Tap})
	if wrong, ok := errors.AsType[*agents.UsageError](err); ok {
		return exitError{exitUsage, wrong}
	}
	if err != nil {
		return err
	}
	all := dialects.All()
	native := all[len(all)-1]
	spoken, _ := dialects.Named(config.TypeAGUI)
	report := &check.Report{Writer: o.writer(out, "stream"), Each: 1}
	lines, err := check.Server(ctx, choice.Agent, raw, check.Options{
		Language: check.Language{Dialect: spoken, Others: []dialect.Dialect{native}, Native: func(name string) bool { return name == native.Name }},
		Dir:      dir, Timeout: o.timeout, Prompt: o.prompt, Tell: report.Tell, Step: o.progress(),
	})
	if err != nil {
		return err
	}
	return o.verdict(report, lines)
}

// progress returns a function that shows progress on a terminal, because a turn may take
// a while. It returns nil if progress is not shown.
func (o *checkOptions) progress() func(string) {
	if o.json || o.sarif || !isatty.IsTerminal(os.Stderr.Fd()) {
		return nil
	}
	colour := paint(terminal.ForFiles(os.Stdin, os.Stdout, os.Stderr, os.Getenv).Colour)
	return func(what string) { fmt.Fprintln(os.Stderr, colour.dim("… "+what)) }
}

// wholePaths makes the names of existing files in a command absolute, because the command
// runs in another folder.
func wholePaths(args []string) []string {
	whole := append([]string(nil), args...)
	for i, arg := range whole[1:] {
		if arg == "" || strings.HasPrefix(arg, "-") || filepath.IsAbs(arg) {
			continue
		}
		if _, err := os.Stat(arg); err != nil {
			continue
		}
		if path, err := filepath.Abs(arg); err == nil {
			whole[i+1] = path
		}
	}
	return whole
}
