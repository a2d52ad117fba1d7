package terminal

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestALaterUpdateKeepsMetaAndOutput(t *testing.T) {
	var tool toolCall
	for _, f := range []v1.ToolCallFields{
		{ToolCallID: "c", RawOutput: json.RawMessage(`{"a":1}`), Meta: v1.Meta{exitCodeMeta: 3.0}},
		{Meta: v1.Meta{outputMeta: map[string]any{"data": "a"}}},
		{Meta: v1.Meta{outputMeta: map[string]any{"data": "b"}}},
		{RawInput: json.RawMessage(`null`)},
	} {
		tool.merge(&f)
	}
	require.Equal(t, v1.Meta{exitCodeMeta: 3.0, outputMeta: map[string]any{"data": "b"}}, tool.Meta)
	require.JSONEq(t, `{"a":1}`, string(tool.RawOutput))
	require.Nil(t, tool.RawInput)
	require.Equal(t, []string{"ab"}, tool.text())
}
