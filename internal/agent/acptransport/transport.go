// Package acptransport connects to an agent that exchanges lines: a command, through its
// stdin and stdout, or a server, through ACP's remote transport.
//
// # Contract
//
// [Start] never blocks for long. It connects to a server in the background; if the
// server can't be reached, the transport ends. The agent's name and how it ended are
// shown to users, and contain no secrets: neither arguments nor environment of a
// command, neither user info nor query of a URL. Both kinds of transport end as
// [child.Child] does.
package acptransport

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/turnwire/turnwire/internal/agent/transport/child"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
)

// A Spec says how to reach an agent.
type Spec struct {
	Args []string // the command and its arguments
	Dir  string   // the working directory; "" means this process's
	Env  []string // the whole environment; nil means this process's

	URL    string      // of a server, instead of a command
	Header http.Header // sent to the server
	// Patience is how long to try to reach a server that was lost; 0 means forever. Only
	// connections that can be resumed have it.
	Patience time.Duration
	Log      *slog.Logger
}

// Remote reports whether the agent is a server.
func (s Spec) Remote() bool { return s.URL != "" }

// A Transport is a connection to an agent. All methods are safe for concurrent use.
type Transport interface {
	// Stdin receives lines for the agent.
	Stdin() io.Writer
	// Stdout returns the agent's lines.
	Stdout() io.Reader
	// Stop ends the transport gracefully, or at once when ctx ends. It waits until the
	// transport has ended. The caller must keep reading Stdout.
	Stop(ctx context.Context)
	// Kill ends the transport at once, and does not wait.
	Kill()
	// Close kills the transport, and waits until nothing is left.
	Close()
	// Done is closed when the transport has ended.
	Done() <-chan struct{}
	// End says how the transport ended, with the agent's last output. It is complete
	// once Done is closed.
	End() string
	// StderrTail returns the end of the agent's output outside its lines.
	StderrTail() string
}

// Start starts a command, or starts to connect to a server.
func Start(s Spec) (Transport, error) {
	if s.Remote() {
		c, err := s.connect()
		if err != nil {
			return nil, err
		}
		return &server{c}, nil
	}
	c, err := child.Start(child.Spec{Args: s.Args, Dir: s.Dir, Env: s.Env, Stdin: true, Log: s.Log})
	if err != nil {
		return nil, err
	}
	return &command{c}, nil
}

// connect starts to connect to a server. The connection survives interruptions, and the
// restart of the server, if the server supports it.
func (s Spec) connect() (connection, error) {
	return durable.Open(durable.Config{Config: client.Config{URL: s.URL, Header: s.Header, Log: s.Log}, Patience: s.Patience})
}

// A connection is one to a server.
type connection interface {
	io.ReadWriteCloser
	Done() <-chan struct{}
	Err() error
}

// Name returns the agent's name for messages.
func (s Spec) Name() string {
	if s.Remote() {
		return "the agent at " + client.Shown(s.URL)
	}
	return fmt.Sprintf("the agent `%s`", s.Args[0])
}

// command is a transport to a command.
type command struct{ *child.Child }

func (c *command) Stdin() io.Writer         { return c.Child.Stdin() }
func (c *command) Stop(ctx context.Context) { c.Child.Stop(ctx) }

func (c *command) End() string {
	select {
	case <-c.Done():
	default:
		return "The agent is running."
	}
	text := fmt.Sprintf("The agent stopped (%s).", c.Wait())
	if tail := c.StderrTail(); tail != "" {
		text += " Last lines of stderr: " + tail
	}
	return text
}

// server is a transport to a server.
type server struct{ connection }

func (s *server) Stdin() io.Writer  { return s.connection }
func (s *server) Stdout() io.Reader { return s.connection }
func (*server) StderrTail() string  { return "" }
func (s *server) Kill()             { _ = s.connection.Close() }

func (s *server) Stop(context.Context) { s.Close() }

// Close closes the connection gracefully. The server has half a second to respond.
func (s *server) Close() {
	_ = s.connection.Close()
	<-s.Done()
}

func (s *server) End() string {
	if err := s.Err(); err != nil {
		return "The agent is unreachable: " + err.Error()
	}
	return "The agent is unreachable: the connection was closed"
}
