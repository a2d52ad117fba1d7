package bridge_test

import (
	"context"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// endings are the ways in which an editor can end a bridge.
var endings = map[string]func(*editor){
	"the end of the input":   func(e *editor) { require.NoError(e.t, e.in.Close()) },
	"being told to stop":     func(e *editor) { e.stop() },
	"an editor that is gone": func(e *editor) { require.NoError(e.t, e.out.Close()) },
}

func TestShutdownEndsWithinTwoSecondsIfPeersHang(t *testing.T) {
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPuppet()
				e := connect(t, clinging{p})
				e.initialize(`{}`)
				s := e.newSession(p)
				e.write(promptS1("1", "go"))
				s.expect(`{"type":"prompt"}`)
				go s.say(strings.Repeat(`{"type":"text_delta","text":"nobody reads"}`+"\n", 10_000))
				synctest.Wait()
				began := time.Now()
				end(e)
				require.NoError(t, <-e.served)
				require.LessOrEqual(t, time.Since(began), 2*time.Second)
			})
		})
	}
}

// clinging is an agent whose sessions close only when their time is up.
type clinging struct{ *puppet }

// Open implements [agent.Agent].
func (c clinging) Open(ctx context.Context, o agent.Options) (agent.Session, error) {
	s, err := c.puppet.Open(ctx, o)
	return clingingSession{s}, err
}

type clingingSession struct{ agent.Session }

// Close implements [agent.Session].
func (s clingingSession) Close(ctx context.Context) error {
	<-ctx.Done()
	return s.Session.Close(ctx)
}

// laggard is a batch that is slow to read.
type laggard struct {
	agent.One
	read chan struct{} // closed when it was read
}

// Events implements [agent.Batch].
func (l laggard) Events() iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		<-time.After(100 * time.Millisecond)
		close(l.read)
		l.One.Events()(yield)
	}
}

// A closed agent is read to EOF, and may print continuously. It must not keep the other
// sessions from answering.
func TestAgentsAreClosedAfterAllPromptsAreAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e := connect(t, p)
		e.initialize(`{}`)
		quick, slow := e.newSession(p), e.newSession(p)
		e.write(promptS1("1", "go"))
		e.write(strings.Replace(promptS1("2", "go"), `"S1"`, `"S2"`, 1))
		quick.expect(`{"type":"prompt"}`)
		slow.expect(`{"type":"prompt"}`)
		l := laggard{agent.One{Event: &agent.Notice{Message: "late"}}, make(chan struct{})}
		go slow.send(l)
		synctest.Wait()
		require.NoError(t, e.in.Close())
		<-quick.closing
		early := true
		select {
		case <-l.read:
			early = false
		default:
		}
		require.NoError(t, <-e.served)
		require.False(t, early, "an agent was closed while a prompt was not answered")
	})
}

func TestEOFAnswersOpenPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one") + promptS1("2", "two"))
		s.expect(`{"type":"prompt"}`)
		e.sync()
		closed := make(chan []string, 1)
		go func() {
			defer close(closed) // a failed assertion ends this goroutine
			closed <- e.close()
		}()
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		lines := strings.Join(<-closed, "\n")
		require.Contains(t, lines, `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}`)
		require.Contains(t, lines, `{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}`)
		<-s.closing
	})
}

func TestStoppingAnswersOpenPrompts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt"}`)
		e.stop()
		s.expect(`{"type":"cancel"}`)
		s.say(done)
		require.Contains(t, strings.Join(e.rest(), "\n"), `{"jsonrpc":"2.0","id":1,"result":{"stopReason":"cancelled"}`)
		<-s.closing
	})
}

func TestADisconnectedEditorEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPuppet()
		e, s := open(t, p, `{}`)
		e.write(promptS1("1", "one"))
		s.expect(`{"type":"prompt"}`)
		require.NoError(t, e.out.Close())
		s.say(`{"type":"text_delta","text":"nobody reads"}`)
		require.NoError(t, <-e.served)
		<-s.closing
	})
}
