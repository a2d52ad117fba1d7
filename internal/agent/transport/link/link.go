// Package link connects with an agent that speaks in lines: a command, on its
// stdin and stdout, or a server, over ACP's remote transport.
//
// # Contract
//
// [Start] waits for nothing that takes time. A server is connected with in the
// background, and one that cannot be reached is a link that ends. What an agent
// is called, and how it has ended, is for users, and holds nothing that may be
// secret: of a command neither its arguments nor its environment, of a URL
// neither user info nor query. Both kinds of link end as [child.Child] does.
package link

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
)

// A Spec says how an agent is reached.
type Spec struct {
	Args []string // its command
	Dir  string   // where that works; "" means here
	Env  []string // its whole environment; nil means that of this process

	URL    string      // of a server, in place of a command
	Header http.Header // what the server is sent
	Log    *slog.Logger
}

// Remote reports whether the agent is a server.
func (s Spec) Remote() bool { return s.URL != "" }

// A Link is a connection with an agent. All its methods are safe for concurrent
// use.
type Link interface {
	// Name is what messages call the agent.
	Name() string
	// Stdin takes the lines for the agent.
	Stdin() io.Writer
	// Stdout has the agent's lines.
	Stdout() io.Reader
	// Stop ends the link in an orderly way, and at once when ctx ends. It waits for
	// the end. Somebody must read Stdout meanwhile.
	Stop(ctx context.Context)
	// Kill ends the link at once, and does not wait.
	Kill()
	// Close kills, and waits until nothing is left.
	Close()
	// Done is closed when the link has ended.
	Done() <-chan struct{}
	// End says how it has ended, with what the agent has said last; it is complete
	// once Done is closed.
	End() string
	// Said is the end of what the agent has said beside its lines.
	Said() string
}

// Start starts a command, or begins to connect with a server.
func Start(s Spec) (Link, error) {
	if s.Remote() {
		c, err := client.Open(client.Config{URL: s.URL, Header: s.Header, Log: s.Log})
		if err != nil {
			return nil, err
		}
		return &server{c}, nil
	}
	c, err := child.Start(child.Spec{Args: s.Args, Dir: s.Dir, Env: s.Env, Stdin: true, Log: s.Log})
	if err != nil {
		return nil, err
	}
	return &command{c, s.Args[0]}, nil
}

// Name is what messages call the agent that s reaches.
func (s Spec) Name() string {
	if s.Remote() {
		return "the agent at " + client.Shown(s.URL)
	}
	return fmt.Sprintf("the agent `%s`", s.Args[0])
}

// command is a link with a command.
type command struct {
	*child.Child

	program string
}

func (c *command) Name() string             { return Spec{Args: []string{c.program}}.Name() }
func (c *command) Stdin() io.Writer         { return c.Child.Stdin() }
func (c *command) Stop(ctx context.Context) { c.Child.Stop(ctx) }
func (c *command) Said() string             { return c.StderrTail() }

func (c *command) End() string {
	select {
	case <-c.Done():
	default:
		return "has not ended"
	}
	text := fmt.Sprintf("exited (%s)", c.Wait())
	if tail := c.StderrTail(); tail != "" {
		text += "; the end of its stderr: " + tail
	}
	return text
}

// server is a link with a server.
type server struct{ *client.Conn }

func (s *server) Name() string      { return "the agent at " + s.Conn.Name() }
func (s *server) Stdin() io.Writer  { return s.Conn }
func (s *server) Stdout() io.Reader { return s.Conn }
func (*server) Said() string        { return "" }
func (s *server) Kill()             { _ = s.Conn.Close() }

func (s *server) Stop(context.Context) { s.Close() }

// Close says goodbye, for which a server has half a second.
func (s *server) Close() {
	_ = s.Conn.Close()
	<-s.Done()
}

func (s *server) End() string {
	if err := s.Err(); err != nil {
		return "is gone: " + err.Error()
	}
	return "is gone: the connection was closed"
}
