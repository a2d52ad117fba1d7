package durable_test

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
)

// A server lets no observer become more.
func TestAnObserverThatRequestsMoreStaysOneOnARestartedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		for id, role := range []string{"observer", "controller"} {
			p.say(`{"jsonrpc":"2.0","id":%d,"method":"session/attach","params":{"sessionId":%q,"role":%q}}`, id, session, role)
			p.answer(strconv.Itoa(id))
		}
		s.Crash(server.Limits{})
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, []string{"observer", "controller", "observer"}, b.roles)
	})
}

// An observer can't get control by session/load, nor by a restart after it.
func TestAnObserverStaysOneOnARestartedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":%q,"role":"observer"}}`, session)
		p.answer("1")
		p.say(`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":%q,"cwd":"/work"}}`, session)
		p.answer("2")
		before := len(b.got())
		s.Crash(server.Limits{})
		time.Sleep(time.Minute)
		require.Equal(t, []string{"initialize", "session/attach"}, b.got()[before:])
	})
}

// A client that closed a session and loads it again on a restarted server stays an observer.
func TestAnObserverThatLeftStaysOneOnARestartedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin()
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":%q,"role":"observer"}}`, session)
		p.answer("1")
		p.say(`{"jsonrpc":"2.0","id":2,"method":"session/close","params":{"sessionId":%q}}`, session)
		p.answer("2")
		before := len(b.got())
		s.Crash(server.Limits{})
		time.Sleep(time.Minute)
		require.Equal(t, []string{"initialize", "session/attach", "session/detach"}, b.got()[before:])
		require.Equal(t, []string{"observer", "observer"}, b.roles)
	})
}

// The session was closed when the client wanted to observe it, and the restarted server opens it.
func TestAnObserverThatCouldNotAttachGetsNoControl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBot(t)
		b.closed = true
		s := flaky.Calm(t, server.Limits{}, nil, b.serve)
		p := play(t, s, nil)
		session := p.begin() // it is closed by somebody else
		p.say(`{"jsonrpc":"2.0","id":1,"method":"session/attach","params":{"sessionId":%q,"role":"observer"}}`, session)
		p.answer("1")
		before := len(b.got())
		s.Crash(server.Limits{})
		time.Sleep(time.Minute)
		require.Equal(t, []string{"initialize", "session/attach", "session/list"}, b.got()[before:])
	})
}
