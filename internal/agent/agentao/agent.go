package agentao

import (
	"context"
	"embed"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/agentao/wire"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

//go:embed host/*.py
var modules embed.FS

// host is the program: its modules one after another, each of which uses those
// before it.
var host = sync.OnceValue(func() string {
	return program("wire", "turn", "asks", "settings", "memory", "runtime", "main")
})

// patience is how long a prompt waits for a cancelled turn before Agentao goes on
// without that.
const patience = 20 * time.Second

// program joins modules. Their imports of each other, and what is for readers
// alone, is left out: a command line has not much room.
func program(names ...string) string {
	within := regexp.MustCompile(`(?m)^from \..*\n|^ *#.*\n|(?s:^ *""".*?"""\n)`)
	var all strings.Builder
	for _, name := range names {
		text, err := modules.ReadFile("host/" + name + ".py")
		if err != nil {
			panic(err) // it is embedded
		}
		all.Write(within.ReplaceAll(text, nil))
	}
	return all.String()
}

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
	// Patience is how long a prompt waits for a cancelled turn that does not come
	// back, before Agentao goes on with the conversation without it; 0 means 20 s.
	Patience time.Duration
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
	if c.Patience == 0 {
		c.Patience = patience
	}
	seconds := strconv.FormatFloat(c.Patience.Seconds(), 'f', -1, 64)
	args := slices.Concat([]string{c.Python}, c.Args, []string{"-u", "-c", host(), seconds})
	return driver{process.Config{
		Args: args, Env: c.Env, Title: "Agentao", Greets: true,
		Missing: "Agentao runs under Python; install Python 3.10 or newer, or name the command that starts it in the settings",
	}}
}

// driver names the agent.
type driver struct{ config process.Config }

// Info implements [agent.Agent].
func (driver) Info() agent.Info {
	return agent.Info{Name: "agentao", Title: "Agentao", Image: true, MCP: &agent.MCPTakes{HTTP: true, SSE: true}, Resume: true}
}

// Open implements [agent.Agent].
func (d driver) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	c := d.config
	c.Dialect = wire.Dialect
	return process.New(c).Open(ctx, o)
}
