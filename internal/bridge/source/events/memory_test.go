package events

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/rawjson"
)

func TestTheHistoryHasTheLastCompletedTurns(t *testing.T) {
	var r memory
	r.listen(true)
	for i := range 100 {
		r.begin("prompt " + strconv.Itoa(i))
		r.add(rawjson.NewText("answer " + strconv.Itoa(i) + strings.Repeat(" long", 500)))
		r.end(&agent.Done{})
	}
	r.begin("running")
	r.add(rawjson.NewText("partly"))
	m := r.recall()
	require.True(t, m.Prompted)
	require.Equal(t, agent.RoleAgent, m.History[len(m.History)-1].Role)
	require.True(t, strings.HasPrefix(m.History[len(m.History)-1].Text, "answer 99 long"))
	require.Equal(t, agent.Message{Role: agent.RoleUser, Text: "prompt 99"}, m.History[len(m.History)-2])
	total := 0
	for _, s := range m.History {
		total += len(s.Text)
	}
	require.LessOrEqual(t, total, maxHistory)
	require.Greater(t, total, maxHistory/2)
}

func TestTheHistoryHasTheEndOfALongAnswer(t *testing.T) {
	var r memory
	r.listen(true)
	r.begin(strings.Repeat("é", maxMessage))
	for range 1000 {
		r.add(rawjson.NewText(strings.Repeat("x", 100)))
	}
	r.add(rawjson.NewText("the end"))
	r.end(&agent.Done{})
	h := r.recall().History
	require.Equal(t, strings.Repeat("é", maxMessage/2), h[0].Text)
	require.True(t, strings.HasSuffix(h[1].Text, "the end"))
	require.LessOrEqual(t, len(h[1].Text), maxMessage)
}

func TestNoHistoryIsStoredUnlessTheAgentReadsIt(t *testing.T) {
	var r memory
	r.begin("prompt")
	r.add(rawjson.NewText("text"))
	r.end(&agent.Done{})
	require.Equal(t, agent.Memory{Prompted: true}, r.recall())
	require.Nil(t, r.answer)
}

func TestAStateIsSavedUnlessItIsTooLarge(t *testing.T) {
	var r memory
	state := agent.Raw(`{"step":1}`)
	require.True(t, r.keep(state))
	copy(state, "********") // the event's memory is reused
	require.False(t, r.keep(make(agent.Raw, agent.MaxState+1)))
	require.Equal(t, `{"step":1}`, string(r.recall().State))
}
