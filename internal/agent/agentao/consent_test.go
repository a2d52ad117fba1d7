//go:build unix && external

package agentao_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestNothingIsPermittedAfterACancel(t *testing.T) {
	c := open(t, standIn())
	c.prompt("tool make clean")
	c.until("confirm")
	c.Stop()
	c.Confirm(agent.ConfirmationResponse{TurnID: c.Turn, ConfirmationID: "confirm-1", ToolCallID: "confirm-1", Decision: agent.AllowAlways})
	require.NotContains(t, strings.Join(c.until("done"), "\n"), "ran")
	c.prompt("tool make clean")
	require.Len(t, c.until("confirm"), 1, "and nothing is allowed for good")

	c = open(t, standIn())
	c.prompt("ask Which?")
	c.until("question")
	c.Stop()
	c.Answer(agent.QuestionResponse{TurnID: c.Turn, QuestionID: "ask-1", Answer: "red"})
	require.NotContains(t, strings.Join(c.until("done"), "\n"), "red")
}

func TestEveryRequestIsAnsweredOnce(t *testing.T) {
	for prompt, want := range map[string]struct{ asked, ran int }{
		"ask_twice":                    {2, 2},
		"nested 900":                   {1, 1},
		"nested 20000":                 {1, 1},
		fmt.Sprintf("long %d", 33<<20): {1, 1},
		"wrong":                        {2, 0},
		"odd":                          {1, 1},
		"knot":                         {1, 1},
	} {
		t.Run(prompt, func(t *testing.T) {
			c := open(t, standIn())
			c.prompt(prompt)
			asked, ran := 0, 0
			for over := false; !over; {
				events := c.until("confirm", "question", "end", "done", "error")
				last := events[len(events)-1]
				kind, rest, _ := strings.Cut(last, " ")
				id, _, _ := strings.Cut(rest, " ")
				switch kind {
				case "confirm":
					asked++
					c.Confirm(agent.ConfirmationResponse{TurnID: c.Turn, ConfirmationID: id, ToolCallID: "another", Decision: agent.AllowOnce})
				case "question":
					asked++
					require.True(t, strings.HasSuffix(last, " red|7"), last)
					c.Answer(agent.QuestionResponse{TurnID: c.Turn, QuestionID: id, Answer: "red"})
				case "end":
					ran++
					require.Contains(t, last, "ok ran")
				default:
					require.Equal(t, "done ", last)
					over = true
				}
			}
			require.Equal(t, want.asked, asked)
			require.Equal(t, want.ran, ran)
		})
	}
}
