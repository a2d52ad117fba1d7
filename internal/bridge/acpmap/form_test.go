package acpmap_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestFormOffersChoicesAndOwnAnswer(t *testing.T) {
	q := &agent.QuestionAsked{Question: "How?", Options: []string{"up", "down"}, AllowCustom: true}
	schema := acpmap.Form(q, "s").RequestedSchema
	require.Equal(t, []string{"up", "down"}, schema.Properties.Get(acpmap.AnswerProperty).Enum)
	require.Equal(t, "string", schema.Properties.Get(acpmap.OwnProperty).Type)
	require.Empty(t, schema.Required)
	q.AllowCustom = false
	schema = acpmap.Form(q, "s").RequestedSchema
	require.Nil(t, schema.Properties.Get(acpmap.OwnProperty))
	require.Equal(t, []string{acpmap.AnswerProperty}, schema.Required)
}

func TestFormAnswerTakesChoiceOrOwnWords(t *testing.T) {
	tests := []struct {
		content        string
		multiple, only bool
		want           []string
		fails          bool
	}{
		{content: `{"answer":"up"}`, want: []string{"up"}},
		{content: `{"own":"sideways"}`, want: []string{"sideways"}},
		{content: `{"answer":"up","own":" "}`, want: []string{"up"}},
		{content: `{"answer":"up","own":"sideways"}`, want: []string{"sideways"}},
		{content: `{"answer":["up","down"],"own":"sideways"}`, multiple: true, want: []string{"up", "down", "sideways"}},
		{content: `{}`},
		{content: `{"own":7}`, fails: true},
		{content: `{"answer":"up","own":"sideways"}`, only: true, want: []string{"up"}},
		{content: `{"own":"sideways"}`, only: true, fails: true},
	}
	for _, test := range tests {
		q := &agent.QuestionAsked{Options: []string{"up", "down"}, AllowCustom: !test.only, Multiple: test.multiple}
		var r v1.ElicitationResponse
		require.NoError(t, json.Unmarshal([]byte(test.content), &r.Content))
		got, err := acpmap.FormAnswer(q, &r)
		require.Equal(t, test.fails, err != nil, test.content)
		require.Equal(t, test.want, got, test.content)
	}
}

func TestPastFormHoldsChoiceAndOwnWords(t *testing.T) {
	tests := map[string]agent.QuestionResponse{
		`{"answer":"up"}`:                    {Answer: "up"},
		`{"own":"sideways"}`:                 {Answer: "sideways"},
		`{"answer":["up"],"own":"sideways"}`: {Answers: []string{"up", "sideways"}},
	}
	for want, response := range tests {
		q := &agent.QuestionAsked{Options: []string{"up", "down"}, AllowCustom: true, Multiple: response.Answers != nil}
		past, ok := acpmap.NewPastQuestion(q, "s", false)
		require.True(t, ok)
		content, err := json.Marshal(past.Answered(q, &response).Answer.Content)
		require.NoError(t, err)
		require.JSONEq(t, want, string(content))
	}
}
