package workspace

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
)

func TestSayStreamsItsTextInPieces(t *testing.T) {
	s := open(t, nil).turn("/say Hello  brave new <world> & \"all\"")
	deltas := all[*agent.TextDelta](s)
	require.Greater(t, len(deltas), 4)
	require.Contains(t, s.text(), `Hello  brave new <world> & "all"`)
	require.Len(t, all[*agent.MessageStart](s), 2, "one message for the text, one for the summary")
	require.Equal(t, deltas[0].MessageID, deltas[1].MessageID)
	require.NotEqual(t, deltas[0].MessageID, deltas[len(deltas)-1].MessageID)
}

func TestTextSentTogetherArrivesTogether(t *testing.T) {
	for prompt, want := range map[string]int{"/say one two three": 5, "/think one two three": 3} {
		c := open(t, nil)
		c.prompt(prompt)
		c.next()
		c.next() // the first prompt gives the session its title
		require.Len(t, c.batch, want-1, prompt)
		c.rest()
	}
}

func TestThinkThinks(t *testing.T) {
	var thought strings.Builder
	for _, d := range all[*agent.ThinkingDelta](open(t, nil).turn("/think let me see")) {
		thought.WriteString(d.Thinking.String())
	}
	require.Equal(t, "let me see", thought.String())
}

func statuses(p *agent.Plan) string {
	var all []string
	for _, e := range p.Entries {
		all = append(all, e.Status)
	}
	return strings.Join(all, " ")
}

func TestAPlanAdvancesWithTheFollowingSteps(t *testing.T) {
	s := open(t, nil).turn("/plan a; b; c", "/say 1", "/say 2")
	var seen []string
	for _, p := range all[*agent.Plan](s) {
		seen = append(seen, statuses(p))
	}
	require.Equal(t, []string{
		"pending pending pending",
		"in_progress pending pending",
		"completed pending pending",
		"completed in_progress pending",
		"completed completed pending",
		"completed completed completed",
	}, seen)
}

func TestAPlanStopsWhenTheTurnIsCancelled(t *testing.T) {
	c := open(t, nil)
	c.prompt("/plan a; b", "/wait 3600", "/say no")
	until[*agent.ToolStart](c)
	c.session.Cancel(agent.Cancel{})
	require.Empty(t, all[*agent.Plan](c.rest()))
}

func TestAskEchoesTheAnswer(t *testing.T) {
	c := open(t, nil)
	c.reply = func(q *agent.QuestionAsked) agent.QuestionResponse {
		require.Equal(t, "Which?", q.Question)
		require.Equal(t, []string{"A", "B"}, q.Options)
		require.False(t, q.AllowCustom)
		return agent.QuestionResponse{QuestionID: q.QuestionID, Answer: "B"}
	}
	s := c.turn("/ask Which? | A | B")
	require.Contains(t, s.text(), "You answered: B")
	require.Equal(t, "B", one[*agent.QuestionAnswered](t, s).Answer)
}

func TestAskWithoutChoicesTakesAnyText(t *testing.T) {
	c := open(t, nil)
	c.reply = func(q *agent.QuestionAsked) agent.QuestionResponse {
		require.Empty(t, q.Options)
		require.True(t, q.AllowCustom)
		// Neither an answer to something else nor a second one counts.
		c.session.Answer(agent.QuestionResponse{QuestionID: "other", Answer: "no"})
		c.session.Answer(agent.QuestionResponse{QuestionID: q.QuestionID, Answer: "Ada"})
		return agent.QuestionResponse{QuestionID: q.QuestionID, Answer: "Bob"}
	}
	require.Contains(t, c.turn("/ask Your name?").text(), "You answered: Ada")
}

func TestAQuestionWithoutAnAnswerDoesNotEndTheTurn(t *testing.T) {
	c := open(t, nil)
	c.reply = func(q *agent.QuestionAsked) agent.QuestionResponse {
		return agent.QuestionResponse{QuestionID: q.QuestionID, Cancelled: true}
	}
	s := c.turn("/ask Your name?", "/say next")
	require.Contains(t, s.text(), "You did not answer.")
	require.Contains(t, s.text(), "All done: 2 steps, 1 refused.")
	require.True(t, one[*agent.QuestionAnswered](t, s).Cancelled)
}

func TestWaitWaits(t *testing.T) {
	s := open(t, nil).turn("/wait 0.01")
	require.Equal(t, []string{"tool_start", "tool_end"}, s.types())
	require.JSONEq(t, `{"seconds":0.01}`, string(one[*agent.ToolStart](t, s).Args))
	require.True(t, one[*agent.ToolEnd](t, s).OK)
}

func TestFailFailsAndTheTurnGoesOn(t *testing.T) {
	s := open(t, nil).turn("/fail <it> broke", "/say next")
	end := one[*agent.ToolEnd](t, s)
	require.False(t, end.OK)
	require.False(t, end.Cancelled)
	require.Equal(t, "<it> broke", end.Error)
	require.Contains(t, string(one[*agent.ToolStart](t, s).Args), "<it> broke", "people read the arguments")
	require.Contains(t, s.text(), "next")
}

func TestHelpListsEveryCommand(t *testing.T) {
	text := open(t, nil).turn("/help").text()
	for _, c := range commands() {
		require.Contains(t, text, "`"+c.usage()+"`")
	}
}

func TestAnUnknownCommandNamesHelp(t *testing.T) {
	text := open(t, nil).turn("/sing", "/wait soon").text()
	require.Contains(t, text, "`/sing`")
	require.Contains(t, text, "/help")
	require.Contains(t, text, "`/wait SECONDS`")
	require.Contains(t, text, "All done: 2 steps, 2 failed.")
}
