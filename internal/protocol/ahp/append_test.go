package ahp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
	"github.com/turnwire/turnwire/internal/rawjson"
)

// Some actions encode themselves. Clients must not be able to tell.
func TestActionsAreEncodedAsTheirMembersSay(t *testing.T) {
	odd := "\"quoted\" \\ <b>\x00\n\u2028 \xff é 😀"
	text := rawjson.NewText(odd)
	contents := []ahp.ToolContent{
		{Type: ahp.ContentText, Text: &text},
		{Type: ahp.ContentText, Text: &rawjson.Text{}},
		{Type: ahp.ContentText, Text: &text, URI: "also"},
		{Type: ahp.ContentEmbedded, Data: "aGk=", ContentType: "image/png"},
		{Type: ahp.ContentFileEdit, After: &ahp.FileEditSide{URI: "file:///a"}, Diff: &ahp.DiffStats{Added: 1}},
	}
	for _, a := range []ahp.Action{
		&ahp.Delta{TurnID: odd, PartID: odd, Content: text},
		&ahp.Delta{},
		&ahp.Reasoning{TurnID: odd, PartID: odd, Content: text},
		&ahp.ToolCallContentChanged{TurnID: odd, ToolCallID: odd, Content: contents},
		&ahp.ToolCallContentChanged{Content: []ahp.ToolContent{}},
		&ahp.ToolCallComplete{TurnID: odd, ToolCallID: odd, Result: ahp.ToolResult{
			Success: true, PastTenseMessage: odd, Content: contents, Error: &ahp.ToolError{Message: odd, Code: odd},
		}},
		&ahp.ToolCallComplete{},
	} {
		var want map[string]any
		members, err := json.Marshal(a)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(members, &want))
		want["type"] = a.ActionType()
		var got map[string]any
		require.NoError(t, json.Unmarshal(ahp.Encode(a), &got), "%s", ahp.Encode(a))
		require.Equal(t, want, got)
	}
}

func TestATextGrowsByPiecesInTheirJSONForm(t *testing.T) {
	c := ahp.Chat{}
	c.Apply(&ahp.TurnStarted{TurnID: "1"}, "")
	c.Apply(&ahp.ResponsePart{TurnID: "1", Part: ahp.Part{Kind: ahp.PartMarkdown, ID: "a", Content: ahp.NewText("a\n")}}, "")
	c.Apply(&ahp.Delta{TurnID: "1", PartID: "a", Content: rawjson.NewText(`"b" é`)}, "")
	require.Equal(t, "a\n\"b\" é", c.ActiveTurn.ResponseParts[0].Content.String())
	encoded, err := json.Marshal(c.ActiveTurn.ResponseParts[0])
	require.NoError(t, err)
	require.JSONEq(t, `{"kind":"markdown","id":"a","content":"a\n\"b\" é"}`, string(encoded))
}
