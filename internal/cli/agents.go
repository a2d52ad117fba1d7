package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/dialect"
	"github.com/turnwire/turnwire/agent/dialects"
	"github.com/turnwire/turnwire/agent/process"
	"github.com/turnwire/turnwire/agent/replay"
	"github.com/turnwire/turnwire/agent/workspace"
)

const dialectAuto = "auto"

// agentOptions say which agent to run.
type agentOptions struct {
	command []string
	replay  string
	dialect string
}

func (o *agentOptions) addDialect(cmd *cobra.Command) {
	names := []string{dialectAuto}
	for _, d := range dialects.All() {
		names = append(names, d.Name)
	}
	cmd.Flags().StringVar(&o.dialect, "dialect", dialectAuto, "how the agent writes its events: "+strings.Join(names, " or "))
	_ = cmd.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

func (o *agentOptions) addReplay(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.replay, "replay", "", "answer every prompt with the recorded events in `FILE`")
}

func (o *agentOptions) findDialect() (dialect.Dialect, error) {
	if o.dialect == dialectAuto {
		return dialects.Auto(), nil
	}
	if d, ok := dialects.Named(o.dialect); ok {
		return d, nil
	}
	return dialect.Dialect{}, usagef("--dialect %q is not known", o.dialect)
}

func (o *agentOptions) open() (agent.Agent, error) {
	d, err := o.findDialect()
	if err != nil {
		return nil, err
	}
	switch {
	case o.replay != "" && len(o.command) > 0:
		return nil, usagef("--replay and a command exclude each other")
	case o.replay != "":
		if _, err := os.Stat(o.replay); err != nil {
			return nil, fmt.Errorf("--replay: %w", err)
		}
		return replay.New(o.replay, d), nil
	case len(o.command) > 0:
		return process.New(process.Config{Args: o.command, Dialect: d}), nil
	}
	return workspace.New(), nil
}
