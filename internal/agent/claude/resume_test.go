package claude_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/claude"
	"github.com/turnwire/turnwire/internal/agent/transport/process"
)

func recall(m agent.Memory) agent.Options {
	m.Prompted = true
	return agent.Options{Recall: func() agent.Memory { return m }}
}

func (c *conversation) resumed(process int) string {
	_, rest, _ := strings.Cut(strings.Join(c.args[process], " "), "AskUserQuestion")
	return strings.TrimSpace(rest)
}

func TestACancelledTurnLeavesTheProcess(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.prompt("hang")
		c.until("mode_changed")
		c.Stop()
		require.Contains(t, c.until("done"), "done cancelled")
		c.prompt("say on")
		require.Contains(t, c.until("done"), "on")
		require.Len(t, c.args, 1)
	})
}

func TestAStuckProcessIsReplacedByOneThatResumes(t *testing.T) {
	for _, prompt := range []string{"stuck", "exit"} {
		t.Run(prompt, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				c := open(t, agent.Options{})
				c.prompt("say first")
				c.until("done")
				c.prompt(prompt)
				if prompt == "exit" {
					c.until("error")
				} else {
					c.until("mode_changed")
					c.Stop()
					c.Abandon(c.Turn)
				}
				c.prompt("say on")
				said := c.until("done")
				require.Contains(t, said, "on")
				require.NotContains(t, strings.Join(said, "\n"), "notice", "nothing is forgotten")
				require.Len(t, c.args, 2)
				require.Empty(t, c.resumed(0))
				require.Equal(t, "--resume own-1", c.resumed(1))
			})
		})
	}
}

func TestASavedSessionIsResumed(t *testing.T) {
	require.True(t, claude.New(process.Config{}).Info().Fork, "otherwise the user is told that Claude Code forgot the conversation")
	for name, c := range map[string]struct {
		memory agent.Memory
		want   string
	}{
		"a session":        {agent.Memory{State: agent.Raw(`"own-1"`)}, "--resume own-1"},
		"a fork":           {agent.Memory{State: agent.Raw(`"own-0"`), ForkOf: "s0"}, "--resume own-0 --fork-session"},
		"no state":         {agent.Memory{}, ""},
		"a strange state":  {agent.Memory{State: agent.Raw(`{"a":1}`)}, ""},
		"an option's name": {agent.Memory{State: agent.Raw(`"--dangerously-skip-permissions"`)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := open(t, recall(c.memory))
				s.prompt("say on")
				require.Contains(t, s.until("done"), "on")
				require.Equal(t, c.want, s.resumed(0))
			})
		})
	}
}

func TestALostSessionStartsAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, recall(agent.Memory{State: agent.Raw(`"lost"`)}))
		require.Equal(t, []string{"notice Claude Code no longer has this conversation. A new one starts."}, c.until("notice"))
		c.prompt("say on")
		said := c.until("done")
		require.Contains(t, said, "on")
		require.Contains(t, said, `state "own-1"`)
		require.Equal(t, "--resume lost", c.resumed(0))
		require.Empty(t, c.resumed(1))
	})
}
