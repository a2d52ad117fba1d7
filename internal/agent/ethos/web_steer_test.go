package ethos_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
)

func (c *conversation) steer(turn, text string) bool {
	return c.Session.(agent.Steerer).Steer(agent.Steer{TurnID: turn, SteerID: text, Text: text})
}

func TestWebAdviceReachesTheTurnThatRuns(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	_, e := c.until("available_commands")
	require.Equal(t, "steer", e.(*agent.AvailableCommands).Commands[0].Name)
	require.False(t, c.steer("t1", "nothing runs"))
	c.prompt("t1", "clean")
	c.until("tool_confirmation_request")
	require.True(t, c.steer("t1", "less salt"))
	_, e = c.until("steered")
	require.Equal(t, "less salt", e.(*agent.Steered).SteerID)
	require.Empty(t, e.(*agent.Steered).Refused)
	require.False(t, c.steer("t0", "another turn"))
	c.decide(agent.AllowOnce)
	c.Until(func(e agent.Event) bool {
		require.NotEqual(t, "notice", e.Type(), "a tool has ended, so Ethos has read it")
		return e.Type() == "done"
	})
	requireCalls(t, s, "send clean asker 0", "steer s/1 less salt", "approve a1 once")
}

func TestWebUnreadAdviceIsReported(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "wait")
	c.until("text_delta")
	require.True(t, c.steer("t1", "less salt"))
	c.until("steered")
	requireCalls(t, s, "send wait asker 0", "steer s/1 less salt")
	s.stop <- struct{}{}
	_, e := c.until("notice")
	require.Contains(t, e.(*agent.Notice).Message, "before Ethos read your advice")
	c.done()

	c.prompt("t2", "wait")
	c.until("text_delta")
	require.True(t, c.steer("t2", "too much"))
	_, e = c.until("steered")
	require.Contains(t, e.(*agent.Steered).Refused, "rejected")
	c.cancel("t2")
	c.done()
	require.False(t, c.steer("t2", "it is over"))
}

func TestWebAdviceIsAPromptIfNothingRuns(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", " /steer hi")
	c.done()
	requireCalls(t, s, "send hi asker 0")
}
