package workspace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

// choose sets the mode and receives the events about it.
func (c *client) choose(mode string) {
	c.t.Helper()
	require.NoError(c.t, c.session.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen(mode)}))
	require.Equal(c.t, &agent.ModeChanged{ModeID: mode}, c.next())
}

func TestTheModeIsKnownFromTheBeginning(t *testing.T) {
	c := open(t, nil)
	options := c.session.Options()
	require.Len(t, options, 1)
	require.Equal(t, agent.Chosen("ask"), options[0].Value)
	for _, mode := range []string{"ask", "read-only"} {
		require.True(t, options[0].Offers(agent.Chosen(mode)))
	}
	c.choose("read-only")
	require.Equal(t, agent.Chosen("read-only"), c.session.Options()[0].Value)
}

func TestReadOnlyRefusesWithoutAsking(t *testing.T) {
	for _, line := range []string{"/write a.txt x", "/append a.txt x", "/edit b.txt old => new", "/run echo x > a.txt"} {
		c := open(t, map[string]string{"b.txt": "old"})
		c.choose("read-only")
		s := c.turn(line, "/read b.txt") // without decide, a confirmation fails the test
		ends := all[*agent.ToolEnd](s)
		require.Len(t, ends, 2)
		require.True(t, ends[0].Cancelled)
		require.Contains(t, ends[0].Error, "the mode is read-only")
		require.True(t, ends[1].OK, "reading is allowed")
		require.Contains(t, s.text(), "All done: 2 steps, 1 refused.")
		c.missing("a.txt")
		require.Equal(t, "old", c.get("b.txt"))
	}
}

func TestReadOnlyOverridesEarlierPermissions(t *testing.T) {
	c := open(t, nil)
	c.decide = always(agent.AllowAlways)
	c.turn("/write a.txt 1")
	c.choose("read-only")
	c.turn("/write a.txt 2")
	require.Equal(t, "1", c.get("a.txt"))
	c.choose("ask")
	c.turn("/write a.txt 3")
	require.Equal(t, "3", c.get("a.txt"), "it is allowed again, and still for always")
}

func TestAnAnswerToAnEarlierRequestIsIgnoredInReadOnly(t *testing.T) {
	c := open(t, nil)
	c.prompt("/write a.txt x")
	asked := until[*agent.ConfirmationRequested](c)
	c.choose("read-only")
	c.session.Confirm(agent.ConfirmationResponse{ToolCallID: asked.ToolCallID, Decision: agent.AllowOnce})
	require.Contains(t, one[*agent.ToolEnd](t, c.rest()).Error, "the mode is read-only")
	c.missing("a.txt")
}

func TestModeChangesAreReportedInOrder(t *testing.T) {
	c := open(t, nil)
	const n = 50
	for i := range n {
		require.NoError(t, c.session.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen([]string{"read-only", "ask"}[i%2])}))
	}
	for i := range n {
		require.Equal(t, &agent.ModeChanged{ModeID: []string{"read-only", "ask"}[i%2]}, c.next())
	}
}

func TestUnknownModesAndOptionsAreRefused(t *testing.T) {
	c := open(t, nil)
	for _, o := range []agent.SetOption{
		{}, {OptionID: "mode"}, {OptionID: "mode", Value: agent.Chosen("sudo")}, {OptionID: "mode", Value: agent.Switched(true)},
		{OptionID: "model", Value: agent.Chosen("ask")},
	} {
		require.Error(t, c.session.Configure(o))
	}
	require.Equal(t, agent.Chosen("ask"), c.session.Options()[0].Value)
}

func TestAnUnreceivedModeDoesNotKeepTheSessionOpen(t *testing.T) {
	c := openOnly(t, nil)
	require.NoError(t, c.session.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen("read-only")}))
	require.NoError(t, c.session.Close(t.Context()))
	require.ErrorIs(t, c.session.Configure(agent.SetOption{OptionID: "mode", Value: agent.Chosen("ask")}), errClosed)
}
