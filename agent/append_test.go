package agent

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The reflection-free encoding must equal that of encoding/json.
func TestFastEncodingEqualsEncodingJSON(t *testing.T) {
	old, exit, percent := "a\n", 3, 0.0
	view := View{
		Title: "T\"", Kind: "edit", Locations: []Location{{Path: "/a", Line: 3}, {Path: "b"}},
		Diffs: []Diff{{Path: "p", OldText: &old, NewText: "<b>"}, {Path: "q", NewText: ""}}, TerminalID: "t1",
	}
	base := Base{TurnID: "turn"}
	for _, e := range []Event{
		&TextDelta{}, &ThinkingDelta{}, &ToolReady{}, &ToolStart{}, &ToolProgress{}, &ToolOutput{}, &ToolEnd{},
		&TextDelta{Text: NewText("ü\n"), MessageID: "m", Base: base},
		&ThinkingDelta{Thinking: NewText("\\"), MessageID: "m", Base: base},
		&ToolReady{ToolCallID: "c", ToolName: "n", Args: Raw(`{"a":1}`), ParentToolCallID: "p", View: view, Base: base},
		&ToolStart{ToolCallID: "c", ToolName: "n", Args: Raw("{\n \"a\": 1}"), Audience: ForUser, ParentToolCallID: "p", View: view, Base: base},
		&ToolOutput{ToolCallID: "c", Text: NewText("x"), Stream: "stderr", Replace: true, TerminalID: "t", Base: base},
		&ToolEnd{
			ToolCallID: "c", ToolName: "n", OK: true, Cancelled: true, DurationMS: 1.25e-7, Audience: ForInternal,
			Result: NewText("r"), Error: "e", ExitCode: &exit, View: view, Base: base,
		},
		&ToolEnd{DurationMS: 12.5},
		&ToolEnd{DurationMS: 1e21},
		&ToolEnd{DurationMS: -999999.25},
		&ToolProgress{ToolCallID: "c", ToolName: "n", Message: "<m>", Percent: &percent, Audience: ForUser, Base: base},
		&ToolEnd{Content: []Content{{Type: "text", Text: "x"}}, Structured: Raw(`{}`)},
	} {
		want := encodeMembers(e)
		got, ok := appendFast([]byte("{"), e)
		if !ok {
			require.Equal(t, "{", string(got), "nothing is appended")
			continue
		}
		if len(got) > 1 {
			got = append(got[:1], got[2:]...) // without the comma after the type
		}
		require.Equal(t, string(want), string(append(got, '}')), "%T", e)
	}
}
