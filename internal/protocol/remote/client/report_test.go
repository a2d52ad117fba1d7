package client_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
	"github.com/turnwire/turnwire/internal/protocol/remote/client"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// telling sends n short messages at once, when the client has said something.
func telling(n int) func(context.Context, *server.Conn) {
	return greeting(func(ctx context.Context, c *server.Conn) {
		defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
		for said := bufio.NewScanner(c); said.Scan(); {
			for i := range n {
				if _, err := fmt.Fprintf(c, `{"update":%d,"text":""}`+"\n", i+1); err != nil {
					return
				}
			}
		}
	})
}

// The client reports what it received early enough for the server to go on at full speed.
func TestReportsDelayNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const messages = 20_000
		s := flaky.Calm(t, server.Limits{}, nil, telling(messages))
		c, lines := request(t, s, client.Resume{})
		began := time.Now()
		_, err := fmt.Fprintln(c, `{"method":"go"}`)
		require.NoError(t, err)
		require.NoError(t, inOrder(lines, messages))
		require.Less(t, time.Since(began), remote.Heartbeat, "it waited for a heartbeat, in virtual time")
	})
}

// Reports on many sessions don't wait for each other: on a slow network, they would delay all
// of the sessions.
func TestReportsDoNotWaitForEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const sessions, messages = 120, 600
		s := flaky.Calm(t, server.Limits{}, nil, greeting(func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			said := bufio.NewScanner(c)
			for range sessions {
				said.Scan()
			}
			for n := range sessions * messages {
				if _, err := fmt.Fprintf(c, `{"method":"told","params":{"sessionId":"s%d"}}`+"\n", n%sessions); err != nil {
					return
				}
			}
			said.Scan()
		}))
		s.Proxy.Lag(4 * time.Second)
		c, lines := request(t, s, client.Resume{})
		for i := range sessions {
			_, err := fmt.Fprintf(c, `{"method":"go","params":{"sessionId":"s%d"}}`+"\n", i)
			require.NoError(t, err)
		}
		require.True(t, lines.Scan(), "%v", c.Err())
		began := time.Now()
		for range sessions*messages - 1 {
			require.True(t, lines.Scan(), "%v", c.Err())
		}
		require.Less(t, time.Since(began), 4*time.Minute, "in virtual time")
	})
}

// A network holds what it was given, and loses it when it fails: the buffers of a kernel or
// a proxy have room for thousands of messages.
func TestNothingIsLostWithANetworkThatHeldMuchOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const messages = 20_000
		s := flaky.Calm(t, server.Limits{}, nil, telling(messages))
		var pipes network
		config := s.Config()
		config.URL, config.Resume = "http://localhost/acp", new(client.Resume)
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := s.Proxy.Dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return pipes.add(c), nil
		}
		c := dial(t, config)
		lines := bufio.NewScanner(c)
		_, err := fmt.Fprintln(c, hello)
		require.NoError(t, err)
		require.True(t, lines.Scan())
		_, err = fmt.Fprintln(c, `{"method":"go"}`)
		require.NoError(t, err)
		require.True(t, lines.Scan())
		pipes.hold()
		time.Sleep(time.Second)
		pipes.lose()
		for i := 1; i < messages; i++ {
			require.True(t, lines.Scan(), "%v", c.Err())
			require.JSONEq(t, fmt.Sprintf(`{"update":%d,"text":""}`, i+1), lines.Text())
		}
	})
}

// A network is the connections of a client.
type network struct {
	mu    sync.Mutex
	pipes []*pipe
}

func (n *network) add(c net.Conn) *pipe {
	p := &pipe{Conn: c}
	p.changed.L = &p.mu
	n.mu.Lock()
	n.pipes = append(n.pipes, p)
	n.mu.Unlock()
	go p.fill()
	return p
}

func (n *network) each(do func(p *pipe)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, p := range n.pipes {
		p.mu.Lock()
		do(p)
		p.changed.Broadcast()
		p.mu.Unlock()
	}
}

// hold stops the delivery on the connections that exist.
func (n *network) hold() { n.each(func(p *pipe) { p.held = true }) }

// lose breaks them, and what they hold is lost.
func (n *network) lose() { n.each(func(p *pipe) { _ = p.Close(); p.err = net.ErrClosed }) }

// A pipe is a connection that always accepts what the server sends.
type pipe struct {
	net.Conn

	mu      sync.Mutex
	changed sync.Cond
	arrived bytes.Buffer
	held    bool
	err     error
}

func (p *pipe) fill() {
	piece := make([]byte, 4<<10)
	for {
		n, err := p.Conn.Read(piece)
		p.mu.Lock()
		p.arrived.Write(piece[:n])
		if p.err == nil {
			p.err = err
		}
		p.changed.Broadcast()
		p.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (p *pipe) Read(to []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for (p.held || p.arrived.Len() == 0) && p.err == nil {
		p.changed.Wait()
	}
	if p.held || p.arrived.Len() == 0 {
		return 0, p.err
	}
	return p.arrived.Read(to)
}
