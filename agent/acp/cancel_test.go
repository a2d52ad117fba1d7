package acp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/agent/acp"
)

func TestACancelReachesTheAgent(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("hang")
	c.says("hanging")
	c.Stop()
	require.Equal(t, []string{"done end_turn"}, c.UntilEnd(), "the bridge answers cancelled whatever the agent says")
	c.prompt("say next")
	require.Equal(t, []string{"next", "done end_turn"}, c.UntilEnd())
}

func TestACancelAnswersThePermissionThatTheAgentWaitsFor(t *testing.T) {
	c := open(t, "agentao")
	c.prompt("permit-deaf")
	c.asks()
	c.Stop()
	require.Equal(t, []string{refused, refused, "tool_end", "done end_turn"}, c.UntilEnd(), "what it asks behind the cancel is refused too")
}

func TestACancelAnswersTheFormThatTheAgentWaitsFor(t *testing.T) {
	c := open(t, "conformant")
	c.prompt(`form "leaf":{"type":"string"}`)
	c.asks()
	c.Stop()
	require.Equal(t, []string{`{"action":"cancel"}`, "done end_turn"}, c.UntilEnd())
}

func TestACancelDuringTheStartEndsTheTurnAndNotTheStart(t *testing.T) {
	c := openWith(t, acp.New(standing("silent")), agent.Options{})
	c.prompt("say x")
	c.Stop()
	require.Equal(t, []string{"done cancelled"}, c.UntilEnd())
}

func TestAnAgentThatDoesNotEndACancelledTurnIsReplaced(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("deaf")
	c.says("deaf")
	c.Stop()
	c.Abandon(c.Turn)
	c.prompt("say anew")
	require.Equal(t, []string{"notice The agent was started anew: it does not know what was said before.", "anew", "done end_turn"}, c.UntilEnd())
}

func TestASessionClosesWhateverTheAgentDoes(t *testing.T) {
	for _, text := range []string{"hang", "deaf", "permit", "flood 100000"} {
		t.Run(text, func(t *testing.T) {
			c := open(t, "conformant")
			c.prompt(text)
			c.Until(func(agent.Event) bool { return true })
		})
	}
	c := openWith(t, acp.New(standing("silent")), agent.Options{})
	c.prompt("say x")
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	c := open(t, "conformant")
	c.prompt("permit-deaf")
	c.asks()
	c.Stop()
	c.confirm("permission-1000001", agent.AllowAlways)
	c.confirm("permission-1000002", agent.AllowAlways) // what it asks after the cancel
	require.Equal(t, []string{refused, refused, "tool_end", "done end_turn"}, c.UntilEnd())

	c = open(t, "conformant")
	c.prompt(`form "leaf":{"type":"string"}`)
	c.asks()
	c.Stop()
	c.Answer(agent.QuestionResponse{TurnID: c.Turn, QuestionID: "elicitation-1000001", Answer: "assam"})
	require.Equal(t, []string{`{"action":"cancel"}`, "done end_turn"}, c.UntilEnd())
}
