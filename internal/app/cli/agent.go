package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/replay"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
	"github.com/turnwire/turnwire/internal/agent/workspace"
	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/suggest"
)

const dialectAuto = "auto"

// agentOptions are the flags that choose the agent to run.
type agentOptions struct {
	name    string
	url     string
	headers []string
	token   string // the path of a file
	config  string
	command []string
	replay  string
	dialect string
	served  bool // our own server runs the agent, decides, and writes the audit log
	// patience is how long to try to reach that server if it is lost; 0 means forever.
	patience time.Duration
	// start starts that server if it isn't running; it may be nil.
	start func(context.Context) error
}

func dialectNames() []string {
	names := []string{dialectAuto}
	for _, d := range dialects.All() {
		names = append(names, d.Name)
	}
	return names
}

func (o *agentOptions) addDialect(cmd *cobra.Command) {
	names := dialectNames()
	cmd.Flags().StringVar(&o.dialect, "dialect", dialectAuto, "event format `NAME`: "+strings.Join(names, ", "))
	_ = cmd.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

func (o *agentOptions) addReplay(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.replay, "replay", "", "replay recorded events from `FILE`, or the turns of the session with this ID")
	_ = cmd.RegisterFlagCompletionFunc("replay", func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		ids, _ := completeSession(typed)
		return ids, cobra.ShellCompDirectiveKeepOrder // and files
	})
}

func (o *agentOptions) addName(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.name, "agent", "a", "", "use the agent `NAME` (see \"turnwire agents\")")
	o.addServer(cmd, "the agent server's `URL`")
	f.StringVar(&o.token, "token-file", "", "authenticate to an ACP server with the token in `FILE` (default: $TURNWIRE_TOKEN)")
	o.addConfig(cmd)
	_ = cmd.RegisterFlagCompletionFunc("agent", o.completeName)
}

func (o *agentOptions) addServer(cmd *cobra.Command, url string) {
	f := cmd.Flags()
	f.StringVar(&o.url, "url", "", url)
	f.StringArrayVar(&o.headers, "header", nil, "send the HTTP header `'NAME: VALUE'` to the server; $VAR is replaced by the environment variable")
	_ = cmd.RegisterFlagCompletionFunc("url", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("header", cobra.NoFileCompletions)
}

func (o *agentOptions) addConfig(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.config, "config", "", "read agents from `FILE` instead of your own and the project's "+config.FileName)
}

// completeName completes agent names. It ignores errors in a configuration file.
func (o *agentOptions) completeName(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	catalogue, err := o.catalogue(".")
	if err != nil {
		catalogue = agents.New(nil)
	}
	var names []string
	for _, e := range catalogue.Choices() {
		title := printable(e.Title)
		if !e.Installed() {
			title += " (not installed)"
		}
		names = append(names, cobra.CompletionWithDesc(e.Name, title))
	}
	names = append(names, cobra.CompletionWithDesc(config.TypeACP, "any agent that speaks ACP, with -- COMMAND"))
	return names, cobra.ShellCompDirectiveNoFileComp
}

// catalogue loads the agent catalogue for work in dir.
func (o *agentOptions) catalogue(dir string) (*agents.Catalogue, error) {
	return agents.Load(config.Find(o.config, dir))
}

func (o *agentOptions) findDialect() (dialect.Dialect, error) {
	if o.dialect == dialectAuto {
		return dialects.Auto(), nil
	}
	if d, ok := dialects.Named(o.dialect); ok {
		return d, nil
	}
	return dialect.Dialect{}, usagef("unknown --dialect %q%s", o.dialect, suggest.Hint(o.dialect, dialectNames()))
}

// open creates the agent for sessions in dir. It starts nothing.
func (o *agentOptions) open(dir string) (agents.Choice, error) {
	d, err := o.findDialect()
	if err != nil {
		return agents.Choice{}, err
	}
	switch {
	case o.replay != "" && len(o.command) > 0:
		return agents.Choice{}, usagef("--replay and a command cannot be used together")
	case o.replay != "" && (o.url != "" || len(o.headers) > 0 || o.token != ""):
		return agents.Choice{}, usagef("--replay and a server cannot be used together")
	case o.name != "":
		choice, err := o.named(dir)
		if wrong, ok := errors.AsType[*agents.UsageError](err); ok {
			err = exitError{exitUsage, wrong}
		}
		return choice, err
	case o.url != "" || len(o.headers) > 0 || o.token != "" || o.config != "":
		return agents.Choice{}, usagef("--url, --header, --token-file and --config need --agent")
	case o.replay != "":
		return o.recorded(d)
	case len(o.command) > 0:
		if o.dialect == dialectAuto {
			d = dialects.AutoDriven()
		}
		return agents.Choice{Agent: agents.NewProgram(process.Config{
			Args: o.command, Dialect: d, Greets: true, Memory: agents.Remembering(o.command), Misuse: agents.Misuse(o.command),
		}), Key: agents.Key("", "", o.command)}, nil
	}
	return agents.Choice{Agent: workspace.New(), Key: agents.Workspace}, nil
}

// named creates the agent with the given name, or one that replays a recording of it.
func (o *agentOptions) named(dir string) (agents.Choice, error) {
	catalogue, err := o.catalogue(dir)
	if err != nil {
		return agents.Choice{}, err
	}
	if o.replay == "" {
		r := agents.Request{Name: o.name, Command: o.command, URL: o.url, Headers: o.headers, TokenFile: o.token}
		if o.dialect != dialectAuto {
			r.Dialect = o.dialect
		}
		return catalogue.Open(r)
	}
	named := *o
	if o.dialect == dialectAuto {
		if named.dialect, err = catalogue.Dialect(o.name); err != nil {
			return agents.Choice{}, err
		}
	}
	d, err := named.findDialect()
	if err != nil {
		return agents.Choice{}, err
	}
	return o.recorded(d)
}

// recorded creates an agent that replays a file or a saved session.
func (o *agentOptions) recorded(d dialect.Dialect) (agents.Choice, error) {
	_, err := os.Stat(o.replay)
	if errors.Is(err, fs.ErrNotExist) {
		choice, none := recordedSession(o.replay)
		if !errors.Is(none, fs.ErrNotExist) {
			return choice, none
		}
		err = fmt.Errorf("%w, and no session ID starts with it", err)
	}
	if err != nil {
		return agents.Choice{}, fmt.Errorf("--replay: %w", err)
	}
	return agents.Choice{Agent: replay.New(o.replay, d), Key: agents.Key("", "", []string{"replay", o.replay})}, nil
}
