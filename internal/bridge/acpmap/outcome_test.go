package acpmap_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/stream/normalize"
	"github.com/turnwire/turnwire/internal/agent/stream/toolview"
	"github.com/turnwire/turnwire/internal/bridge/acpmap"
)

// unshown are the events that neither users nor observing tools receive, with the
// reason why nothing is lost.
var unshown = map[string]string{
	"tool_request":      "the tool runs below the bridge, and what it does is shown",
	"message_start":     "it divides messages: the text after it has another messageId",
	"message_end":       "it divides messages: the text after it has another messageId",
	"tool_args_delta":   "the arguments are shown whole, with the call",
	"steered":           "the user's message is shown instead, to the other clients",
	"state":             "it is for the agent alone, which gets it back when the session goes on",
	"approval_required": "an announcement: the call that it is about is shown when it runs",
}

// fate returns what happens to an event in a turn with a running call: "shown",
// "private", "asked", "ends the turn", or nothing.
func fate(e agent.Event) string {
	normalizer := normalize.New("/work", toolview.Common)
	ignore := func(normalize.Step) {}
	normalizer.Begin("")
	if _, begins := e.(*agent.ToolPending); !begins {
		normalizer.Add(&agent.ToolStart{ToolCallID: "call", ToolName: "tool"}, ignore)
	}
	if removed, ok := e.(*agent.PlanRemoved); ok {
		normalizer.Add(&agent.Plan{PlanID: removed.PlanID}, ignore)
	}
	got := ""
	normalizer.Add(e, func(s normalize.Step) {
		switch s.Event.(type) {
		case *agent.ConfirmationRequested, *agent.QuestionAsked, *agent.EditorRequested:
			got = "asked"
			return
		}
		switch {
		case s.End:
			got = "ends the turn"
		case len(acpmap.Map(s, acpmap.Client{Notices: true, Compaction: true, Booleans: true})) > 0:
			got = "shown"
		case acpmap.Private(s) && got == "":
			got = "private"
		}
	})
	return got
}

func TestNoEventIsForgotten(t *testing.T) {
	for _, v := range agent.Variants() {
		e := v.New()
		name := e.Type()
		fill(reflect.ValueOf(e).Elem())
		*e.Common() = agent.Base{}
		for field, value := range map[string]string{"ToolCallID": "call", "Audience": string(agent.ForUser)} {
			if f := reflect.ValueOf(e).Elem().FieldByName(field); f.IsValid() {
				f.SetString(value)
			}
		}
		got := fate(e)
		if reason, listed := unshown[name]; listed {
			require.Empty(t, got, "%s is said to be unshown: %s", name, reason)
			continue
		}
		require.NotEmpty(t, got, "%s is neither shown nor private; show it, or give the reason here", name)
	}
}
