package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"github.com/turnwire/turnwire/internal/app/setup"
)

// hosts checks the servers whose agents the editor's built-in chat shows.
func (x *examination) hosts(ctx context.Context, f setup.File) {
	all, err := f.Hosts()
	if err != nil {
		return // the check of the file's agents reported the error
	}
	for _, h := range all {
		if !isOurs(h) {
			continue
		}
		if !strings.Contains(h.Address, "://") {
			h.Address = "ws://" + h.Address
		}
		where := fmt.Sprintf("its chat: “%s” at %s ", h.Name, address(h.Address))
		if can, sure := f.Host(); sure && !can {
			x.report(Warning, f.Title, where+"needs version "+setup.HostsSince+" or later, and this is "+f.Version, "Update "+f.Title+".")
			continue
		}
		detail, err := handshake(ctx, h)
		if err == nil {
			x.report(OK, f.Title, where+detail, "")
			continue
		}
		problem, advice := explain(err, h)
		x.report(Failed, f.Title, where+problem, advice)
	}
}

// inChat reports whether the editor's built-in chat is set up in a file.
func (x *examination) inChat(f setup.File) bool {
	all, err := f.Hosts()
	return err == nil && slices.ContainsFunc(all, isOurs)
}

// isOurs reports whether setup added a host. Other hosts must not be contacted.
func isOurs(h setup.Host) bool { return strings.HasPrefix(h.Name, setup.DefaultName) }

// errNotHost says that the peer doesn't speak the Agent Host Protocol.
var errNotHost = errors.New("responds, but not with the Agent Host Protocol")

// A refusal is the HTTP status of a refused connection.
type refusal int

func (r refusal) Error() string { return fmt.Sprintf("returns %d %s", int(r), http.StatusText(int(r))) }

// explain describes an error and returns advice.
func explain(err error, h setup.Host) (problem, advice string) {
	const again = "turnwire setup vscode --chat"
	var refused refusal
	switch {
	case errors.As(err, &refused) && (refused == http.StatusUnauthorized || refused == http.StatusForbidden):
		return "refuses the token", again + " creates a new one."
	case errors.As(err, &refused), errors.Is(err, errNotHost):
		return err.Error(), "Another program or an older Turnwire listens there: stop it, or choose another address with " + again + " --listen ADDRESS"
	case errors.Is(err, syscall.ECONNREFUSED):
		listen := "ADDRESS"
		if u, err := url.Parse(h.Address); err == nil && u.Host != "" {
			listen = quoted(u.Host)
		}
		return "is not running", "turnwire serve --listen " + listen + " --auth token starts it; turnwire setup serve --listen " + listen + " starts it at each login."
	case errors.Is(err, context.DeadlineExceeded):
		return "does not respond", "Restart it; turnwire stop stops it."
	}
	return err.Error(), "Set it up again: " + again
}
