package agents

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/app/config"
)

// reachTimeout limits the check of one agent.
const reachTimeout = 2 * time.Second

// Reach says how an agent is reached, and whether it can be reached now.
type Reach struct {
	How string // such as "ethos acp" or a URL
	// Reachable is nil if unknown.
	Reachable *bool
	Detail    string // the reason, in a few words
}

// Reach checks whether the entry's agent can be reached. If only a project's file defines
// the agent, nothing from that file is run and no request is sent, because the user
// hasn't chosen the agent yet.
func (e *Entry) Reach(ctx context.Context) Reach {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	e.resolve()
	a := &e.Config
	switch {
	case a.Type == Workspace:
		return found(Reach{How: "embedded"}, "built in")
	case isServer(a.Type):
		return reachServer(ctx, a)
	case a.Type == config.TypeACP && a.Command == "":
		return Reach{How: "-- COMMAND, --url URL", Detail: "needs a command, or --url"}
	}
	return reachProgram(ctx, a)
}

func reachProgram(ctx context.Context, a *config.Agent) Reach {
	args := commandLine(a)
	r := Reach{How: strings.Join(args, " ")}
	if a.FromProject() && strings.HasPrefix(filepath.ToSlash(args[0]), "//") {
		// On Windows this is a path on another machine, and even checking for the file
		// logs in there.
		r.Detail = "not checked because only a project's file names this program"
		return r
	}
	path, err := child.Find(args[0])
	switch {
	case errors.Is(err, fs.ErrPermission):
		return missing(r, args[0]+" is not executable")
	case errors.Is(err, child.ErrNotAFile):
		return missing(r, args[0]+" is not a file")
	case err != nil && filepath.Base(args[0]) == args[0]:
		return missing(r, args[0]+" is not in PATH")
	case err != nil:
		return missing(r, args[0]+" does not exist")
	case a.Type != config.TypeAgentao:
		return found(r, path)
	case a.FromProject():
		r.Detail = path + "; not checked for the package agentao because a project names it"
		return r
	}
	return reachPackage(ctx, r, path, args)
}

// reachPackage checks whether the Python started by args has Agentao, without importing
// it. Python looks for modules in the working directory first, which may contain anyone's
// code, so that entry is removed from the path before anything is imported.
func reachPackage(ctx context.Context, r Reach, path string, args []string) Reach {
	const script = "import sys; sys.path = [p for p in sys.path if p]; import importlib.util; sys.exit(importlib.util.find_spec('agentao') is None)"
	c, err := child.Start(child.Spec{Args: slices.Concat(args, []string{"-c", script}), MergeStderr: true})
	if err != nil {
		return missing(r, err.Error())
	}
	defer c.Close()
	select {
	case <-c.Done():
	case <-ctx.Done():
		return missing(r, path+" does not respond")
	}
	if status := c.Wait(); status.Code != 0 {
		return missing(r, path+" has no package agentao: pip install agentao")
	}
	return found(r, path+" with the package agentao")
}

// reachServer sends a HEAD request; any response will do. It sends no headers, and no
// parts of the URL that may be secret.
func reachServer(ctx context.Context, a *config.Agent) Reach {
	if a.URL == "" {
		return Reach{How: "--url URL", Detail: "needs --url"}
	}
	u, err := url.Parse(a.URL)
	if err != nil {
		return missing(Reach{}, "the URL is invalid")
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	r := Reach{How: u.String()}
	u.Scheme = strings.Replace(u.Scheme, "ws", "http", 1) // a WebSocket starts as an HTTP request
	if a.FromProject() {
		r.Detail = "not checked because only a project's file names this address"
		return r
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, u.String(), http.NoBody)
	if err != nil {
		return missing(r, "the URL is invalid")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	answer, err := transport.RoundTrip(req)
	if err != nil {
		return missing(r, cause(err))
	}
	_ = answer.Body.Close() // a HEAD has no body
	switch {
	case a.Type == config.TypeAgentB:
		return reachRoute(ctx, transport, u, a.Path, r)
	case a.Type == config.TypeAGUI && answer.StatusCode == http.StatusNotFound:
		return reachEndpoint(ctx, transport, u.String(), r)
	}
	return found(r, "it responds")
}

// cause returns why a request failed, without details that the user already knows.
func cause(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no response within " + reachTimeout.String()
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Err != nil {
		err = op.Err
	}
	return err.Error()
}

func found(r Reach, detail string) Reach {
	yes := true
	r.Reachable, r.Detail = &yes, detail
	return r
}

func missing(r Reach, detail string) Reach {
	no := false
	r.Reachable, r.Detail = &no, detail
	return r
}
