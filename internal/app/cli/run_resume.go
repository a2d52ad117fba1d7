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

// resumed sets the folder and the agent of the session to resume, unless the command line
// names them. A session that is not saved here is no error if an agent was chosen,
// because the agent may have its own sessions.
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

// resumed is like the function [resumed], but for a session of the server if one is
// named. For sessions that are open there, the beginning of the id is enough.
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
	if c.named == automatic {
		if err := startServer(ctx, socket); err != nil {
			return err
		}
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
			return fmt.Errorf("the session %s belongs to the agent %s, not %s", inLine(fit.ID), inLine(cmp.Or(fit.Agent, "at /acp")), inLine(o.name))
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
		return nil // the server may use another store
	}
	if err != nil {
		return err
	}
	opts.Resume = s.ID
	if !inFolder {
		opts.Cwd = s.Cwd
	}
	if !o.chosen() && o.choose(s) != nil {
		o.name = "" // it must be the agent that the server was started with
	}
	return nil
}

// chosen reports whether the command line chooses an agent.
func (o *agentOptions) chosen() bool {
	return o.name != "" || len(o.command) > 0 || o.replay != ""
}

// choose selects the session's agent, unless the command line chose one. An agent that
// was started with a command can't be derived from the session.
func (o *agentOptions) choose(s journal.Summary) error {
	if o.chosen() {
		choice, err := o.open(s.Cwd)
		if err != nil {
			return err
		}
		if choice.Key != s.Agent {
			return fmt.Errorf("the session %s belongs to the agent %s, not %s", inLine(s.ID), inLine(s.Agent), inLine(choice.Key))
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
		// A project's file may have redefined the name since.
		if file := e.Config.File(); e.Name == s.Agent && (file == "" || file == places.Own) {
			o.name = s.Agent
			return nil
		}
	}
	return fmt.Errorf("the session %s belongs to the agent %s: start it with -- COMMAND or --agent", inLine(s.ID), inLine(s.Agent))
}
