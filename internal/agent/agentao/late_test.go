//go:build unix && external

package agentao_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// deaf starts a turn that ignores its cancel, and cancels it.
func (c *conversation) deaf() {
	c.T.Helper()
	c.prompt("deaf")
	c.until("working")
	c.Stop()
	require.Equal(c.T, []string{"done cancelled"}, c.until("done"))
	c.Abandon(c.Turn)
}

const busy = "notice Agentao is still busy with the previous turn. Your prompt waits for it."

// turnAfterCancel runs a turn after a cancelled one. On a slow machine, the host may
// still be busy with that one, and says so.
func (c *conversation) turnAfterCancel(text string) []string {
	c.T.Helper()
	return slices.DeleteFunc(c.turn(text), func(s string) bool { return s == busy })
}

func TestAPromptWaitsForTheCancelledTurnAndLosesNothing(t *testing.T) {
	c := open(t, standIn())
	c.turn("say hi")
	c.deaf()
	c.prompt("say on")
	require.Equal(t, []string{busy}, c.until("notice"))
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "over"), nil, 0o600))
	require.Equal(t, []string{"on in turn 3", "done "}, c.until("done"), "and nothing of what was cancelled is said")
}

func TestAPromptThatWaitsCanBeCancelled(t *testing.T) {
	c := open(t, standIn())
	c.deaf()
	c.prompt("say never")
	c.until(busy)
	c.Stop()
	require.Equal(t, []string{"done cancelled"}, c.until("done"))
	c.prompt("say on")
	c.until(busy)
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "over"), nil, 0o600))
	require.Equal(t, []string{"on in turn 2", "done "}, c.until("done"))
}

func TestAHungTurnIsAbandoned(t *testing.T) {
	config := standIn()
	config.Patience = time.Second
	c := open(t, config)
	c.turn("say hi")
	c.awaitSaved("say hi") // otherwise the next prompt would find the host busy
	c.deaf()
	require.Equal(t, []string{
		busy,
		"notice Agentao is stuck in the previous turn and continues without it. " +
			"It remembers the conversation. The cancelled work may still be running.",
		"user:say hi user:deaf assistant:None tool:a tool:b assistant:[Cancelled: user-cancel] user:history",
		"done ",
	}, c.turn("history"))
	c.awaitSaved("history")
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "over"), nil, 0o600))
	require.Equal(t, []string{"on in turn 2", "done "}, c.turn("say on"), "by the second Agentao")
}
