package agentao

import (
	"context"
	_ "embed" // for host.py
	"runtime"
	"slices"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/agentao/wire"
	"github.com/turnwire/turnwire/agent/transport/process"
)

//go:embed host.py
var host string

// Config describes where Agentao runs.
type Config struct {
	// Python is the interpreter, or a command that starts one; empty means
	// python3, and python on Windows.
	Python string
	// Args stand between that command and the host: "run", "python" for uv.
	Args []string
	// Env is the whole environment, with the keys of the model; nil means that
	// of this process.
	Env []string
}

// New returns an agent that runs Agentao under Python, in a process for each
// session.
func New(c Config) agent.Agent {
	if c.Python == "" {
		c.Python = "python3"
		if runtime.GOOS == "windows" {
			c.Python = "python"
		}
	}
	// The host goes along as an argument: a file would have to be put where
	// nobody else can write, and taken away again.
	args := slices.Concat([]string{c.Python}, c.Args, []string{"-u", "-c", host})
	return driver{process.Config{
		Args: args, Env: c.Env, Title: "Agentao",
		Missing: "Agentao runs under Python; install Python 3.10 or newer, or name the command that starts it in the settings",
	}}
}

// driver names the agent.
type driver struct{ config process.Config }

// Info implements [agent.Agent].
func (driver) Info() agent.Info { return agent.Info{Name: "agentao", Title: "Agentao"} }

// Open implements [agent.Agent].
func (d driver) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	c := d.config
	c.Dialect = wire.Session()
	return process.New(c).Open(ctx, o)
}
