package relay

import (
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/link"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// An Agent is a program, or a server, that speaks the Agent Client Protocol itself.
type Agent struct {
	Name   string      // for users
	Args   []string    // its command line
	Env    []string    // its whole environment; nil means that of this process
	URL    string      // the address of its server, if it has no command
	Header http.Header // sent with each request to URL
	// Login is put before the arguments of terminal logins; see withLogin.
	Login []string
	// StartTimeout is how long it may take to answer "initialize"; 0 means a minute.
	StartTimeout time.Duration
	// IdleTimeout is how long it may say nothing while a prompt waits for it and it
	// waits for nobody; 0 means any time.
	IdleTimeout time.Duration
	// Quirks says how it departs from the protocol; nil if it does not.
	Quirks *quirks.Table
	// Start connects with it; nil means [link.Start].
	Start func(link.Spec) (link.Link, error)
}

// spec says how the agent is reached.
func (a *Agent) spec() link.Spec {
	return link.Spec{Args: a.Args, Env: a.Env, URL: a.URL, Header: a.Header}
}

// reachedAs is what messages call the agent: its command or its address.
func (a *Agent) reachedAs() string { s := a.spec(); return s.Name() }

// where returns where a command speaks the protocol, for messages.
func (a *Agent) where() string {
	if a.URL != "" {
		return ""
	}
	return " on its stdin and stdout"
}

// folder returns the folder of the process that has the sessions of the folder cwd. It
// is "", Turnwire's own folder, unless the agent's tools work in that of its process.
func (a *Agent) folder(cwd string) string {
	if a.Quirks == nil || !a.Quirks.Folders || a.URL != "" || !filepath.IsAbs(cwd) {
		return ""
	}
	cwd = filepath.Clean(cwd)
	if own, err := os.Getwd(); err == nil && own == cwd {
		return ""
	}
	return cwd
}
