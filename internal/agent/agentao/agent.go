package agentao

import (
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

// host returns the host program: the concatenation of its modules, each of which
// uses earlier ones.
var host = sync.OnceValue(func() string {
	return program("wire", "turn", "pending", "settings", "memory", "runtime", "main")
})

// patience is how long a prompt waits for a cancelled turn before Agentao
// continues without it.
const patience = 20 * time.Second

// program concatenates modules. It strips imports between them, comments and
// docstrings, because the length of a command line is limited.
func program(names ...string) string {
	within := regexp.MustCompile(`(?m)^from \..*\n|^ *#.*\n|(?s:^ *""".*?"""\n)`)
	var all strings.Builder
	for _, name := range names {
		text, err := modules.ReadFile("host/" + name + ".py")
		if err != nil {
			panic(err) // the files are embedded
		}
		all.Write(within.ReplaceAll(text, nil))
	}
	return all.String()
}

// Config says how to run Agentao.
type Config struct {
	// Python is the interpreter, or a command that starts one. If it is empty, it
	// is python3, or python on Windows.
	Python string
	// Args are inserted between Python and the host, such as "run", "python" for
	// uv.
	Args []string
	// Env is the whole environment, including the model's keys. If it is nil, this
	// process's is used.
	Env []string
	// Patience is how long a prompt waits for a cancelled turn that does not
	// return, before Agentao continues the conversation without it. 0 means 20 s.
	Patience time.Duration
}

// New returns an agent that runs Agentao under Python, in one process for each
// session.
func New(c Config) agent.Agent {
	if c.Python == "" {
		c.Python = "python3"
		if runtime.GOOS == "windows" {
			c.Python = "python"
		}
	}
	// The host is passed as an argument. A file would need a place where nobody
	// else can write, and would have to be removed.
	if c.Patience == 0 {
		c.Patience = patience
	}
	seconds := strconv.FormatFloat(c.Patience.Seconds(), 'f', -1, 64)
	args := slices.Concat([]string{c.Python}, c.Args, []string{"-u", "-c", host(), seconds})
	return process.New(process.Config{
		Args: args, Env: c.Env, Greets: true, Dialect: wire.Dialect,
		Info:    &agent.Info{Name: "agentao", Title: "Agentao", Image: true, MCP: &agent.MCPTakes{HTTP: true, SSE: true}, Resume: true},
		Missing: "Agentao needs Python 3.10 or later: install it, or set the agent's command in the settings",
	})
}
