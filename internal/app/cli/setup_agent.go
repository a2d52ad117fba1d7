package cli

import (
	"fmt"
	"path/filepath"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// wanted returns the agent that the command line describes. To remove an agent its name
// is enough, even if it can no longer be set up.
func (o *setupOptions) wanted() (a setup.Agent, err error) {
	a.Name = o.name
	switch {
	case a.Name != "":
	case o.agent.name != "":
		a.Name = fmt.Sprintf("%s (%s)", setup.DefaultName, o.agent.name)
	case len(o.agent.command) > 0:
		a.Name = fmt.Sprintf("%s (%s)", setup.DefaultName, filepath.Base(o.agent.command[0]))
	default:
		a.Name = setup.DefaultName
	}
	if o.remove {
		return a, nil
	}
	if a.Args, err = o.agent.words(); err != nil {
		return a, err
	}
	if a.Command, err = o.program(); err != nil {
		return a, err
	}
	if err := a.Check(); err != nil {
		return a, exitError{exitUsage, err}
	}
	return a, nil
}

// words returns the arguments with which an editor launches the agent. It reports invalid
// ones now rather than in the editor.
func (o *agentOptions) words() ([]string, error) {
	o.dialect = dialectAuto
	if o.config != "" {
		path, err := filepath.Abs(o.config)
		if err != nil {
			return nil, err
		}
		o.config = path
	}
	if _, err := o.open("."); err != nil {
		return nil, err
	}
	if err := o.refuseProjects(); err != nil {
		return nil, err
	}
	args := []string{"acp"}
	add := func(flag, value string) {
		if value != "" {
			args = append(args, "--"+flag, value)
		}
	}
	add("agent", o.name)
	add("url", o.url)
	for _, h := range o.headers {
		add("header", h)
	}
	if o.token != "" {
		path, err := filepath.Abs(o.token)
		if err != nil {
			return nil, err
		}
		add("token-file", path)
	}
	add("config", o.config)
	if len(o.command) > 0 {
		program, err := absoluteCommand(o.command[0])
		if err != nil {
			return nil, err
		}
		args = append(append(args, "--", program), o.command[1:]...)
	}
	return args, nil
}

// absoluteCommand returns a command that works in every folder. It resolves relative
// paths against the current folder.
func absoluteCommand(name string) (string, error) {
	if filepath.Base(name) == name || filepath.IsAbs(name) {
		return name, nil // found through PATH, or already absolute
	}
	return filepath.Abs(name)
}

// refuseProjects returns an error if only a project's file defines the agent. An editor
// that works elsewhere would not find it, or would find another agent of that name.
func (o *agentOptions) refuseProjects() error {
	if o.name == "" {
		return nil
	}
	catalogue, err := o.catalogue(".")
	if err != nil {
		return err
	}
	for _, e := range catalogue.Entries() {
		if e.Name == o.name && e.Config.FromProject() {
			return projectAgentError{e.Name, e.Config.File()}
		}
	}
	return nil
}

// projectAgentError reports that only a project's file defines an agent.
type projectAgentError struct{ name, file string }

// Error implements error.
func (e projectAgentError) Error() string {
	return fmt.Sprintf("the agent %s exists only in this project (%s): add it to your own configuration, or name the file with --config", e.name, e.file)
}
