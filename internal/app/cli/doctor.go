package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/doctor"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/setup"
)

// doctorReport is the output of "turnwire doctor --json".
type doctorReport struct {
	Well     bool             `json:"well"`
	Findings []doctor.Finding `json:"findings"`
}

func newDoctor(*logOptions) *cobra.Command {
	var o agentOptions
	var asJSON bool
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:   "doctor [" + strings.Join(setup.Names(), "|") + "]... [flags] [-- COMMAND [ARG...]]",
		Short: "Check the installation and explain how to fix it",
		Long: `Check this program, your configuration, the agent, and the settings of every
editor found, or of the editors named. Then run one turn as an editor would, in an
empty folder, with all permission requests denied.

The turn goes to the agent given by --agent or COMMAND, else to the first agent
configured in the named editors, else to the built-in workspace agent, which needs
no model. Other agents may use their model for a short answer.

Exit codes: 0 everything is OK, 1 a check failed, 2 wrong command line.`,
		Example: examples(
			"turnwire doctor",
			"turnwire doctor zed neovim",
			"turnwire doctor --agent claude",
			"turnwire doctor --timeout 20s -- python3 /path/to/my_agent.py",
			"turnwire doctor --json",
		),
		ValidArgsFunction: completeEditors(len(setup.Names())),
		Args: func(cmd *cobra.Command, args []string) error {
			before, after, dashed := splitAtDash(cmd, args)
			if dashed && len(after) == 0 {
				return usagef("no command after --")
			}
			if timeout <= 0 {
				return usagef("--timeout must be positive")
			}
			for _, name := range before {
				if _, err := editorNamed(name); err != nil {
					return err
				}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			var before []string
			before, o.command, _ = splitAtDash(cmd, args)
			opts, err := o.examination(before)
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			opts.Timeout = timeout
			if asJSON {
				return examineJSON(ctx, cmd.OutOrStdout(), opts)
			}
			return examine(ctx, cmd.OutOrStdout(), opts)
		},
	}
	o.addName(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	cmd.Flags().DurationVar(&timeout, "timeout", doctor.TurnTimeout, "time limit for the turn, `TIME`")
	_ = cmd.RegisterFlagCompletionFunc("timeout", cobra.NoFileCompletions)
	return cmd
}

// examination returns what to check. A missing agent or an invalid configuration is a
// finding, unless the command line named it.
func (o *agentOptions) examination(editors []string) (doctor.Options, error) {
	machine, err := setup.ThisMachine()
	if err != nil {
		return doctor.Options{}, err
	}
	program, err := self()
	if err != nil {
		return doctor.Options{}, err
	}
	opts := doctor.Options{
		Program: program, Version: version(), Machine: machine,
		Places: config.Find(o.config, "."), Editors: setup.Editors(), Named: len(editors) > 0,
	}
	if opts.Named {
		opts.Editors = nil
	}
	for _, name := range editors {
		editor, err := editorNamed(name)
		if err != nil {
			return opts, err
		}
		opts.Editors = append(opts.Editors, editor)
	}
	if opts.Args, err = o.words(); err != nil {
		return opts, err
	}
	if opts.Named && o.name == "" && o.url == "" && len(o.command) == 0 {
		if args := doctor.SetUp(opts.Editors, machine); args != nil {
			opts.Args = args
		}
	}
	opts.Server = o.serverCheck()
	return opts, nil
}

// serverCheck returns a check of whether the configured server is running, or nil if no
// server is configured. A configuration error is reported as another finding.
func (o *agentOptions) serverCheck() func(context.Context) (where string, err error) {
	choice, err := o.configuredServer(&journalOptions{})
	if err != nil || choice.named == "" {
		return nil
	}
	socket, err := choice.path()
	return func(ctx context.Context) (string, error) {
		if err != nil {
			return "", err
		}
		if choice.named == automatic && !listens(ctx, socket) {
			return socket + " (started when needed)", nil
		}
		_, err := control.Client{Socket: socket}.Sessions(ctx)
		return socket, err
	}
}

func examineJSON(ctx context.Context, w io.Writer, o doctor.Options) error {
	var all doctorReport
	all.Well = doctor.Examine(ctx, o, &all)
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	if err := out.Encode(all); err != nil {
		return err
	}
	return verdict(all.Well)
}

// Begins implements [doctor.Listener].
func (*doctorReport) Begins(string) {}

// Notes implements [doctor.Listener].
func (e *doctorReport) Notes(f doctor.Finding) { e.Findings = append(e.Findings, f) }

// Ends implements [doctor.Listener].
func (e *doctorReport) Ends(findings []doctor.Finding) { e.Findings = append(e.Findings, findings...) }

// verdict turns the result into an exit code.
func verdict(well bool) error {
	if well {
		return nil
	}
	return exitError{code: exitFailure}
}
