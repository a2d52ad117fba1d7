package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/serve"
)

// A serverChoice is the server to attach to.
type serverChoice struct {
	named string // theDefault, automatic, noServer, the path of a socket, or ""
}

const (
	// theDefault is the value of --server without an argument.
	theDefault = config.DefaultServer
	// automatic means the same server, which is started if it isn't running.
	automatic = config.AutoServer
	// noServer means no server, whatever the configuration says.
	noServer = "none"
)

func (c *serverChoice) add(cmd *cobra.Command, otherwise string) {
	f := cmd.Flags()
	f.StringVar(&c.named, "server", "", "connect to \"turnwire serve\", optionally on the socket `PATH`; \"auto\" starts it if needed"+otherwise)
	f.Lookup("server").NoOptDefVal = theDefault
}

// path returns the path of the socket chosen on the command line, or "" if no server is
// chosen.
func (c serverChoice) path() (string, error) {
	switch c.named {
	case "", noServer:
		return "", nil
	case theDefault, automatic:
		return defaultSocket()
	}
	return filepath.Abs(c.named)
}

// attach changes o to reach its agent through the chosen server, which then saves the
// sessions. It reports whether a server was chosen.
func (c serverChoice) attach(o *agentOptions, j *journalOptions) (attached bool, err error) {
	socket, err := c.path()
	if err != nil || socket == "" {
		return false, err
	}
	switch {
	case len(o.command) > 0 || o.url != "" || o.replay != "":
		return false, usagef("--server runs its own agents: remove the command, --url and --replay")
	case j.off:
		return false, usagef("--server saves its own sessions: pass --no-journal to turnwire serve instead")
	}
	o.through(socket, j)
	if c.named == automatic {
		o.start = func(ctx context.Context) error { return startServer(ctx, socket) }
		return true, o.start(context.Background())
	}
	return true, nil
}

// through changes o to reach its agent through the server at socket.
func (o *agentOptions) through(socket string, j *journalOptions) {
	j.off, o.served = true, true
	o.url, o.name = serve.SocketURL(socket, o.name), "acp"
}

// attachOr is like attach, but uses the configured server if the command line doesn't
// choose one.
func (c serverChoice) attachOr(o *agentOptions, j *journalOptions) error {
	attached, err := c.attach(o, j)
	if attached || err != nil || c.named == noServer {
		return err
	}
	if c, err = o.configuredServer(j); err == nil {
		_, err = c.attach(o, j)
	}
	return err
}

// configuredServer returns the choice of the configured server, or none if the server can't
// run this agent. An agent that is described on the command line runs here, and so does
// one that only a project's file defines. --no-journal prevents attaching too, because a
// server can't honour it.
func (o *agentOptions) configuredServer(j *journalOptions) (serverChoice, error) {
	if o.name == "" && o.config != "" {
		return serverChoice{}, nil // open reports that --config requires --agent
	}
	if j.off || len(o.command) > 0 || o.url != "" || o.replay != "" || len(o.headers) > 0 || o.token != "" || o.dialect != dialectAuto {
		return serverChoice{}, nil
	}
	named, err := config.Find(o.config, ".").Server()
	if err != nil || named == "" {
		return serverChoice{}, err
	}
	if _, projects := errors.AsType[projectAgentError](o.refuseProjects()); projects {
		return serverChoice{}, nil
	}
	return serverChoice{named}, nil
}
