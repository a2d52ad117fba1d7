package normalize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
)

func TestUsageCountsTheLastContextAndTheWholeCost(t *testing.T) {
	turn(t).add(
		`{"type":"usage","inputTokens":100,"outputTokens":10,"cacheReadTokens":5,"cacheCreationTokens":1,"estimatedCostUsd":0.5,"contextWindow":1000}`,
		`{"type":"usage","inputTokens":50,"outputTokens":5,"estimatedCostUsd":0.25}`,
		`{"type":"usage","inputTokens":0,"outputTokens":0,"estimatedCostUsd":1}`,
		`{"type":"usage","inputTokens":-7,"outputTokens":0,"estimatedCostUsd":-1,"contextWindow":-1}`,
		done(""),
		`{"type":"usage","inputTokens":1,"outputTokens":0,"estimatedCostUsd":0}`,
	).yields("usage 116/1000 $0.5", "usage 55/1000 $0.75", "usage 55/1000 $1.75", "usage 55/1000 $1.75", "done end", "usage 1/1000 $1.75")
}

func TestUsageStaysANumber(t *testing.T) {
	turn(t).add(
		`{"type":"usage","inputTokens":9223372036854775807,"outputTokens":1,"estimatedCostUsd":1e308}`,
		`{"type":"usage","inputTokens":1,"estimatedCostUsd":1e308}`,
	).yields("usage 0/0 $1e+308", "usage 1/0 $1e+308")
}

func TestATurnHasOneEndAndNothingAfterIt(t *testing.T) {
	for name, final := range map[string]string{
		"done":         done(""),
		"error":        `{"type":"error","error":"boom"}`,
		"fatal error":  `{"type":"error","error":"boom","fatal":true}`,
		"stop reasons": `{"type":"done","text":"","stopReason":"refusal"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := turn(t).add(final)
			require.Len(t, w.steps, 1)
			require.True(t, strings.HasSuffix(w.steps[0], " end"))
			w.steps = nil
			w.add(final, done("late"), "late", think("late"), aTool, aToolEnd, `{"type":"plan","entries":[]}`,
				`{"type":"error","error":"late","fatal":false}`, `{"type":"halt","message":"late"}`).yields()
			w.cancel().fail(&agent.Error{Error: "late"}).flush().yields()
		})
	}
}

func TestEventsAboutTheSessionAreAllowedAtAnyTime(t *testing.T) {
	types := []string{
		"session_title", "available_commands", "mode_changed", "model_changed", "config_options", "option_refused", "notice", "notification_received", "credential_required",
		"telemetry", "state_snapshot", "state_delta", "activity_snapshot", "activity_delta", "context_compacted", "dry_run_summary",
		"evaluators_complete", "context_meta", "question_answered",
	}
	w := watch(t)
	for _, name := range types {
		w.add(`{"type":"` + name + `"}`)
		require.Len(t, w.steps, 1, name)
		w.steps = nil
	}
	w.begin()
	w.add(done(""), `{"type":"dry_run_summary"}`, `{"type":"brand_new"}`).yields("done end", "dry_run_summary", "unknown brand_new")
}

func TestEventsOfAnotherTurnAreDropped(t *testing.T) {
	w := turn(t).add(done(""))
	w.steps = nil
	w.begin()
	late := []string{
		`{"type":"text_delta","text":"late","turnId":"t1"}`, `{"type":"done","text":"late","turnId":"t1"}`,
		`{"type":"notice","message":"late","turnId":"t1"}`, `{"type":"usage","inputTokens":1,"turnId":"t1"}`, `{"type":"brand_new","turnId":"t1"}`,
	}
	w.add(late...).add(`{"type":"text_delta","text":"now","turnId":"t2"}`).yields("text m2.1 now")
	w.cancel().add(late...).add(`{"type":"text_delta","text":"late","turnId":"t2"}`).yields("done cancelled end")
}

func TestCancelClosesCallsAndEndsTheTurn(t *testing.T) {
	w := turn(t).add(`a\ud83d`, aTool).cancel()
	w.yields("text m1.1 a", "tool_start [a x running] first", "tool_end the turn was cancelled while this ran; it may still be running [a x failed cancelled]",
		"text m1.2 \ufffd", "done cancelled end")
	w.cancel().yields()
	watch(t).cancel().yields()
}

func TestFailEndsATurnThatTheAgentDoesNotEnd(t *testing.T) {
	w := turn(t).add(aTool).fail(&agent.Error{Error: "it died"})
	w.yields("tool_start [a x running] first", "tool_end the turn failed before the tool ended [a x failed]", "error it died end")
	w.fail(&agent.Error{Error: "it died"}).yields()
}

func TestSeparateMessagesHaveTheirOwnIDs(t *testing.T) {
	w := watch(t)
	ids := make(map[string]bool)
	for range 3 {
		w.normalizer.Add(&agent.Notice{Message: "n"}, func(s normalize.Step) { ids[s.MessageID] = true })
	}
	require.Len(t, ids, 3)
	require.NotContains(t, ids, "")
}
