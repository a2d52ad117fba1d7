package ahpmap_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/ahpmap"
	"github.com/turnwire/turnwire/internal/protocol/ahp"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

// Consent is never inferred: the option must have been offered, and must agree with the
// confirmation.
func TestAConfirmationAndItsOptionMustAgree(t *testing.T) {
	r := &v1.RequestPermissionRequest{Options: []v1.PermissionOption{
		{OptionID: "always", Kind: v1.AllowAlways}, {OptionID: "once", Kind: v1.AllowOnce}, {OptionID: "no", Kind: v1.RejectOnce},
	}}
	for _, c := range []struct {
		option   string
		approved bool
		want     string
		ok       bool
	}{
		{"once", true, "once", true},
		{"always", true, "always", true},
		{"", true, "once", true},
		{"no", true, "", false},
		{"other", true, "", false},
		{"no", false, "no", true},
		{"", false, "no", true},
		{"always", false, "", false},
		{"other", false, "", false},
	} {
		outcome, ok := ahpmap.Decide(r, &ahp.ToolCallConfirmed{Approved: c.approved, SelectedOptionID: c.option})
		require.Equal(t, c.ok, ok, "%+v", c)
		require.Equal(t, c.want, outcome.OptionID, "%+v", c)
	}
	always := &v1.RequestPermissionRequest{Options: r.Options[:1]}
	_, ok := ahpmap.Decide(always, &ahp.ToolCallConfirmed{Approved: true})
	require.False(t, ok, "for ever is more than yes")
	outcome, ok := ahpmap.Decide(always, &ahp.ToolCallConfirmed{})
	require.True(t, ok)
	require.Equal(t, v1.OutcomeCancelled, outcome.Outcome)
}

func TestAnswersHaveTheTypesOfTheirQuestions(t *testing.T) {
	var r v1.ElicitationRequest
	require.NoError(t, json.Unmarshal([]byte(`{"sessionId":"s","mode":"form","message":"?","requestedSchema":{"type":"object",
		"properties":{"name":{"type":"string"},"n":{"type":"integer"},"many":{"type":"array","items":{"type":"string","enum":["a","b"]}}},"required":["name"]}}`), &r))
	give := func(name, n any) map[string]ahp.Answer {
		return map[string]ahp.Answer{"name": {State: "submitted", Value: &ahp.AnswerValue{Value: name}}, "n": {State: "submitted", Value: &ahp.AnswerValue{Value: n}}}
	}
	got, err := ahpmap.Answer(&r, ahp.Accept, give("x", 2.0))
	require.NoError(t, err)
	require.JSONEq(t, `{"action":"accept","content":{"name":"x","n":2}}`, string(must(t, got)))
	got, err = ahpmap.Answer(&r, ahp.Accept, give("x", " 3 ")) // VS Code only has text fields
	require.NoError(t, err)
	require.JSONEq(t, `{"action":"accept","content":{"name":"x","n":3}}`, string(must(t, got)))
	got, err = ahpmap.Answer(&r, ahp.Accept, give("x", ""))
	require.NoError(t, err)
	require.JSONEq(t, `{"action":"accept","content":{"name":"x"}}`, string(must(t, got)))
	for _, wrong := range []map[string]ahp.Answer{give(1.0, 2.0), give("x", 2.5), give("x", "two"), give("x", "inf"), give("x", true), {}} {
		_, err = ahpmap.Answer(&r, ahp.Accept, wrong)
		require.Error(t, err)
	}
	got, err = ahpmap.Answer(&r, ahp.Decline, nil)
	require.NoError(t, err)
	require.Equal(t, "decline", got.Action)
	_, err = ahpmap.Answer(&r, "yes", nil)
	require.Error(t, err)
}

func must(t *testing.T, v any) []byte {
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return raw
}
