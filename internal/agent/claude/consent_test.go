package claude_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestAPermissionHasTheEffectOfItsOption(t *testing.T) {
	const input = `"updatedInput":{"command":"make","n":12345678901234567890}`
	const first = `{"type":"addRules","rules":[{"toolName":"Bash"}],"behavior":"allow","destination":"session"}`
	for name, c := range map[string]struct {
		decision agent.Decision
		option   string
		want     string
	}{
		"once":                    {agent.AllowOnce, "allow", `{"behavior":"allow",` + input + `}`},
		"a rule without option":   {agent.AllowOnce, "", `{"behavior":"allow",` + input + `}`},
		"the first suggestion":    {agent.AllowAlways, "0", `{"behavior":"allow",` + input + `,"updatedPermissions":[` + first + `]}`},
		"the second suggestion":   {agent.AllowAlways, "1", `{"behavior":"allow",` + input + `,"updatedPermissions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`},
		"all suggestions":         {agent.AllowAlways, "all", `{"behavior":"allow",` + input + `,"updatedPermissions":[` + first + `,{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`},
		"no suggestion":           {agent.AllowAlways, "2", `{"behavior":"allow",` + input + `}`},
		"a negative number":       {agent.AllowAlways, "-1", `{"behavior":"allow",` + input + `}`},
		"rejected":                {agent.RejectOnce, "reject", `{"behavior":"deny","message":"The user refused this."}`},
		"rejected by its option":  {agent.RejectOnce, "0", `{"behavior":"deny","message":"The user refused this."}`},
		"nobody could be asked":   {agent.NotDecided, "", `{"behavior":"deny","message":"The user refused this."}`},
		"an unknown decision":     {"yes", "allow", `{"behavior":"deny","message":"The user refused this."}`},
		"an option of a decision": {agent.AllowOnce, "0", `{"behavior":"allow",` + input + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := open(t, agent.Options{})
				s.prompt("tool make")
				s.until("tool_confirmation_request")
				s.decide(c.decision, c.option)
				s.until("done")
				s.requireAnswer(c.want)
			})
		})
	}
}

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.prompt("tool make")
		c.until("tool_confirmation_request")
		c.Stop()
		c.decide(agent.AllowAlways, "0")
		require.Contains(t, c.until("done"), "done cancelled")
		synctest.Wait() // until the program has read everything
		c.requireAnswer(`{"behavior":"deny","message":"The user refused this."}`)
		require.Len(t, c.read("interrupt"), 1)
	})
}

func TestAnUnknownRequestIsNeverPermitted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		c.prompt("hang")
		c.until("mode_changed")
		c.decide(agent.AllowOnce, "allow")
		c.until("done")
		c.requireAnswer(`{"behavior":"deny","message":"The user refused this."}`)
	})
}

// A request that reuses an id does not get the input of the earlier one.
func TestARepeatedIDHasTheInputOfTheLastRequest(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := open(t, agent.Options{})
		for _, command := range []string{"make", "ls"} {
			c.prompt("tool " + command)
			c.until("tool_confirmation_request")
			c.decide(agent.AllowOnce, "allow")
			c.until("done")
		}
		answers := c.read(`"type":"control_response"`)
		require.Contains(t, answers[0], `"command":"make"`)
		require.Contains(t, answers[1], `"command":"ls"`)
	})
}

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	for name, line := range map[string]string{
		"unsupported":       `{"type":"control_request","request_id":"r1","request":{"subtype":"elicitation","message":"?"}}`,
		"without a subtype": `{"type":"control_request","request_id":"r1"}`,
		"malformed":         `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":7}}`,
		"a bad suggestion":  `{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"permission_suggestions":[{"type":7}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				c := open(t, agent.Options{})
				c.prompt("print " + line)
				said := c.until("tool_confirmation_request")
				require.NotEqual(t, "confirm r1", said[len(said)-1], "the user is not asked")
				c.Confirm(agent.ConfirmationResponse{TurnID: c.Turn, ConfirmationID: "r1", Decision: agent.NotDecided, Reason: "invalid"})
				c.until("done")
				c.requireAnswer(`{"behavior":"deny","message":"invalid"}`)
			})
		})
	}
}
