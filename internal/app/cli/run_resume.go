package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/turnwire/turnwire/internal/app/agents"
	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/serve/control"
	"github.com/turnwire/turnwire/internal/app/terminal"
	"github.com/turnwire/turnwire/internal/bridge/journal"
)

// resumed sets what follows from the session that a turn goes on with: its folder
// and its agent, where the command line does not say them. The agent itself may
// have sessions that are not kept here.
func resumed(o *agentOptions, opts *terminal.Options, typed string, inFolder bool) error {
	opts.Resume = typed
	store, err := sessionsFolder()
	if err != nil {
		return err
	}
	s, err := findSession(store, typed)
	if _, none := errors.AsType[noSessionError](err); none && o.chosen() {
		return nil
	}
	if err != nil {
		return err
	}
	opts.Resume = s.ID
	if !inFolder {
		opts.Cwd = s.Cwd
	}
	return o.choose(s)
}

// resumed is [resumed], of a session of the server where one is named. One that is
// open there is known by the beginning of its id, too.
func (c serverChoice) resumed(ctx context.Context, o *agentOptions, opts *terminal.Options, typed string, inFolder bool) error {
	socket, err := c.path()
	if err != nil {
		return err
	}
	if socket == "" {
		return resumed(o, opts, typed, inFolder)
	}
	if typed == "" {
		return usagef("the session ID is empty")
	}
	live, err := control.Client{Socket: socket}.Sessions(ctx)
	if err != nil {
		return err
	}
	opts.Resume = typed
	fit, err := sessionAmong(live, typed)
	if err != nil {
		return err
	}
	if fit != nil {
		if o.chosen() && o.name != fit.Agent {
			return fmt.Errorf("the session %s is one of the agent %s, not of %s", inLine(fit.ID), inLine(cmp.Or(fit.Agent, "at /acp")), inLine(o.name))
		}
		opts.Resume, o.name = fit.ID, fit.Agent
		if !inFolder {
			opts.Cwd = fit.Cwd
		}
		return nil
	}
	store, err := sessionsFolder()
	if err != nil {
		return err
	}
	s, err := findSession(store, typed)
	if _, none := errors.AsType[noSessionError](err); none {
		return nil // the server may have its sessions elsewhere
	}
	if err != nil {
		return err
	}
	opts.Resume = s.ID
	if !inFolder {
		opts.Cwd = s.Cwd
	}
	if !o.chosen() && o.choose(s) != nil {
		o.name = "" // it can only be the one that the server was started with
	}
	return nil
}

// chosen reports whether the command line says which agent answers.
func (o *agentOptions) chosen() bool {
	return o.name != "" || len(o.command) > 0 || o.replay != ""
}

// choose takes the agent of a session, unless the command line says another one.
// That of a command cannot be told by its key.
func (o *agentOptions) choose(s journal.Summary) error {
	if o.chosen() {
		choice, err := o.open(s.Cwd)
		if err != nil {
			return err
		}
		if choice.Key != s.Agent {
			return fmt.Errorf("the session %s is one of the agent %s, not of %s", inLine(s.ID), inLine(s.Agent), inLine(choice.Key))
		}
		return nil
	}
	if s.Agent == agents.Workspace {
		return nil
	}
	places := config.Find(o.config, s.Cwd)
	catalogue, err := agents.Load(places)
	if err != nil {
		return err
	}
	for _, e := range catalogue.Entries() {
		// A project's file may say anything of the name by now.
		if file := e.Config.File(); e.Name == s.Agent && (file == "" || file == places.Own) {
			o.name = s.Agent
			return nil
		}
	}
	return fmt.Errorf("the session %s is one of the agent %s: say how it is started, with -- COMMAND or --agent", inLine(s.ID), inLine(s.Agent))
}
