package relay

import (
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/turnwire/turnwire/internal/agent/acptransport"
	"github.com/turnwire/turnwire/internal/bridge/source/relay/quirks"
)

// An Agent is a program or a server that speaks the Agent Client Protocol itself.
type Agent struct {
	Name string   // for display
	Args []string // its command line
	Env  []string // its whole environment; nil means this process's
	// Command is set if the user's command line contains the command, and nothing shows
	// that it speaks the protocol.
	Command bool
	// Missing says what to do if the command is not installed. It may be empty.
	Missing string
	URL     string      // the address of its server, if it has no command
	Header  http.Header // sent with each request to URL
	// Patience is how long to try to reach that server if it is lost; 0 means forever.
	Patience time.Duration
	// Login is inserted before the arguments of terminal logins; see withLogin.
	Login []string
	// StartTimeout bounds the wait for the initialize response; 0 means a minute.
	StartTimeout time.Duration
	// IdleTimeout bounds the agent's silence while a prompt waits for it and it waits
	// for no answer; 0 means no limit.
	IdleTimeout time.Duration
	// Quirks describes its deviations from the protocol; it may be nil.
	Quirks *quirks.Table
	// Start connects to the agent; nil means [acptransport.Start].
	Start func(acptransport.Spec) (acptransport.Transport, error)
}

// spec returns how to reach the agent.
func (a *Agent) spec() acptransport.Spec {
	return acptransport.Spec{Args: a.Args, Env: a.Env, URL: a.URL, Header: a.Header, Patience: a.Patience}
}

// reachedAs returns the name of the agent for messages: its command or its address.
func (a *Agent) reachedAs() string { s := a.spec(); return s.Name() }

// where returns, for messages, where a command speaks the protocol.
func (a *Agent) where() string {
	if a.URL != "" {
		return ""
	}
	return " on its stdin and stdout"
}

// folder returns the folder of the process that runs the sessions in cwd. It is "",
// Turnwire's own folder, unless the agent's tools work in their process's folder.
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
