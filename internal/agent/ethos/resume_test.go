package ethos_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/ethos"
)

func TestACPGoesOnWithAConversation(t *testing.T) {
	c := open(t, ethos.NewACP(played(t, "well")))
	c.prompt("t1", "who")
	key := c.kept()
	text, _ := c.done()
	require.Contains(t, text, key+" ")

	for _, part := range []string{"well", "cannot resume"} {
		next := reopen(t, ethos.NewACP(played(t, part)), goesOn("acp:known"))
		next.prompt("t1", "who")
		text, _ = next.done()
		require.Contains(t, text, "acp:known ", part)
	}
}

func TestACPReportsAMissingConversation(t *testing.T) {
	c := reopen(t, ethos.NewACP(played(t, "well")), goesOn("acp:gone"))
	c.prompt("t1", "who")
	_, e := c.until("notice")
	require.Contains(t, e.(*agent.Notice).Message, "no longer knows this conversation")
	key := c.kept()
	text, _ := c.done()
	require.NotEqual(t, "acp:gone", key)
	require.Contains(t, text, key+" ")
}

func TestWebGoesOnWithAConversation(t *testing.T) {
	s := serve(t)
	c := open(t, ethos.NewWeb(s.config(goodKey)))
	c.prompt("t1", "hi")
	require.Equal(t, "s/1", c.kept())
	c.done()

	next := reopen(t, ethos.NewWeb(s.config(goodKey)), goesOn("s/1"))
	_, mode := next.until("mode_changed")
	require.Equal(t, "asker", mode.(*agent.ModeChanged).ModeID)
	next.prompt("t1", "hi again")
	text, _ := next.done()
	requireCalls(t, s, "send hi asker 0", "send hi again  0") // its personality remains
	require.Equal(t, "Hello.", text, "what was said before is not said again")
	require.Equal(t, []string{"", "9007199254740991"}, s.lastIDs())

	s.mu.Lock()
	s.gone = true
	s.mu.Unlock()
	last := reopen(t, ethos.NewWeb(s.config(goodKey)), goesOn("s/0"))
	last.prompt("t1", "hi once more")
	_, e := last.until("notice")
	require.Contains(t, e.(*agent.Notice).Message, "no longer knows this conversation")
	require.Equal(t, "s/1", last.kept())
	last.done()
	requireCalls(t, s, "send hi once more  0", "send hi once more asker 0")
}
