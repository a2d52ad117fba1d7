package cli

import (
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/turnwire/turnwire/internal/app/config"
	"github.com/turnwire/turnwire/internal/app/serve"
)

// A serverChoice says which server to attach to.
type serverChoice struct {
	named string // on the command line: theDefault, noServer, the path of a socket, or ""
}

const (
	// theDefault is the value of --server without one.
	theDefault = config.DefaultServer
	// noServer is the value for none, whatever the configuration says.
	noServer = "none"
)

func (c *serverChoice) add(cmd *cobra.Command, otherwise string) {
	f := cmd.Flags()
	f.StringVar(&c.named, "server", "", "connect to \"turnwire serve\", optionally on the socket `PATH`"+otherwise)
	f.Lookup("server").NoOptDefVal = theDefault
}

// path is that of the socket that the command line names; "" is for no server.
func (c serverChoice) path() (string, error) {
	switch c.named {
	case "", noServer:
		return "", nil
	case theDefault:
		return defaultSocket()
	}
	return filepath.Abs(c.named)
}

// attach has o reach its agent through a server, which keeps the sessions. It
// reports whether there is one.
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
	return true, nil
}

// through has o reach its agent through the server on a socket.
func (o *agentOptions) through(socket string, j *journalOptions) {
	j.off, o.served = true, true
	o.url, o.name = serve.SocketURL(socket, o.name), "acp"
}

// attachOr is attach, for the server of the configuration where the command line
// says nothing.
func (c serverChoice) attachOr(o *agentOptions, j *journalOptions) error {
	attached, err := c.attach(o, j)
	if attached || err != nil || c.named == noServer {
		return err
	}
	socket, err := o.configuredServer(j)
	if err == nil && socket != "" {
		o.through(socket, j)
	}
	return err
}

// configuredServer is the socket of the server that the configuration names, if the
// agent is one that it can have; else "". What the command line alone says how to
// reach runs here, and so does what only a project names. --no-journal is no wish
// that a server could meet.
func (o *agentOptions) configuredServer(j *journalOptions) (socket string, err error) {
	if o.name == "" && o.config != "" {
		return "", nil // open says that it goes with --agent
	}
	if j.off || len(o.command) > 0 || o.url != "" || o.replay != "" || len(o.headers) > 0 || o.token != "" || o.dialect != dialectAuto {
		return "", nil
	}
	socket, err = config.Find(o.config, ".").Server()
	if err != nil || socket == "" {
		return "", err
	}
	if _, projects := errors.AsType[projectAgentError](o.refuseProjects()); projects {
		return "", nil
	}
	return serverChoice{socket}.path()
}
