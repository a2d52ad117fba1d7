package bridge_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// A preparer is an agent that is started before its first session.
type preparer struct {
	*puppet
	ready     chan struct{}
	asked     chan struct{}
	dismissed chan struct{}
}

func newPreparer() *preparer {
	return &preparer{newPuppet(), make(chan struct{}), make(chan struct{}, 8), make(chan struct{})}
}

func (p *preparer) Prepare(*slog.Logger) <-chan struct{} {
	p.asked <- struct{}{}
	return p.ready
}

func (p *preparer) Dismiss(context.Context) { close(p.dismissed) }

func preparing(c *setup) { c.Prepare = true }

const plainInitialize = `{"protocolVersion":1,"clientCapabilities":{}}`

func TestInitializeReportsWhatAnEarlyAgentAccepts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPreparer()
		e := connect(t, p, preparing)
		e.request(`"i"`, "initialize", plainInitialize)
		<-p.asked
		p.info = agent.Info{Title: "Tea", Image: true}
		close(p.ready)
		e.expectLike(`"id":"i"`, `"image":true`, `"title":"Tea"`)
	})
}

// Another initialize and a session opened without waiting are answered in order.
func TestNothingOvertakesInitialize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPreparer()
		e := connect(t, p, preparing)
		e.request(`"i"`, "initialize", plainInitialize)
		<-p.asked
		e.request(`"new1"`, "session/new", `{"cwd":"/project","mcpServers":[]}`)
		e.request(`"m"`, "session/prompt", `{"sessionId":"none","prompt":[]}`)
		e.expectLike(`"id":"m"`, "unknown session")
		close(p.ready)
		e.expectLike(`"id":"i"`, `"protocolVersion":1`)
		p.session(t)
		e.expectLike(`"id":"new1"`, `"sessionId"`)
	})
}

func TestShutdownDoesNotWaitForAnEarlyAgent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPreparer()
		e := connect(t, p, preparing)
		e.request(`"i"`, "initialize", plainInitialize)
		<-p.asked
		require.Len(t, e.close(), 1, "initialize is answered")
		<-p.dismissed
	})
}

func TestNoAgentIsStartedEarlyInATerminal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPreparer()
		e := connect(t, p)
		e.initialize(`{}`)
		require.Empty(t, p.asked)
		e.close()
		select {
		case <-p.dismissed:
			require.Fail(t, "it was never prepared")
		default:
		}
	})
}
