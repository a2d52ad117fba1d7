package bridge_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// endings are the ways in which an editor ends a bridge.
var endings = map[string]func(*editor){
	"the end of the input":   func(e *editor) { require.NoError(e.t, e.in.Close()) },
	"being told to stop":     func(e *editor) { e.stop() },
	"an editor that is gone": func(e *editor) { require.NoError(e.t, e.out.Close()) },
}

func TestItEndsWithinTwoSecondsEvenIfTheOthersHang(t *testing.T) {
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

// clinging is an agent whose sessions close only when their time is over.
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
