package transcript

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestALaterUpdateKeepsTheOutcome(t *testing.T) {
	var c Call
	c.merge(&v1.ToolCallFields{Title: "t", Status: v1.StatusFailed, Meta: v1.Meta{exitCodeMeta: 3.0, durationMeta: 20.0}})
	c.merge(&v1.ToolCallFields{Meta: v1.Meta{"other": 1.0}})
	require.Equal(t, []string{"failed", "20ms", "exit code 3"}, c.facts())
}

func TestACallCopiesItsRecord(t *testing.T) {
	var c Call
	input, output := json.RawMessage(`{"a":1}`), json.RawMessage(`{"b":2}`)
	c.merge(&v1.ToolCallFields{RawInput: input, RawOutput: output, Locations: []v1.Location{{Path: "/a"}}})
	clear(input)
	clear(output)
	require.JSONEq(t, `{"a":1}`, string(c.RawInput))
	require.JSONEq(t, `{"b":2}`, string(c.RawOutput))
	require.Equal(t, []v1.Location{{Path: "/a"}}, c.Locations)
}

func TestRawOutputIsShownIfThereIsNoContent(t *testing.T) {
	for raw, want := range map[string]string{
		`"a\nb"`: "a\nb", `{"found":3}`: "{\n  \"found\": 3\n}", `{}`: "", ``: "", `null`: "",
	} {
		var c Call
		c.merge(&v1.ToolCallFields{RawOutput: json.RawMessage(raw)})
		text, blocks := c.output()
		require.Equal(t, want, text, raw)
		require.Empty(t, blocks)
		c.merge(&v1.ToolCallFields{Content: v1.ToolContents{v1.TextItem(v1.NewText("content"))}})
		text, _ = c.output()
		require.Equal(t, "content", text)
	}
}
