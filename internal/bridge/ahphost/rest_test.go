package ahphost

import (
	"testing"

	"github.com/stretchr/testify/require"

	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func textChunk(kind v1.ChunkKind, text string) *v1.MessageChunk {
	return &v1.MessageChunk{Kind: kind, Content: &v1.TextBlock{Text: v1.NewText(text)}}
}

// The history joins what the chat has in pieces.
func TestTheRestOfATurnFollowsWhatIsShown(t *testing.T) {
	ended, open := &v1.ToolCall{}, &v1.ToolCallUpdate{}
	ended.ToolCallID, open.ToolCallID = "ended", "open"
	r := &rest{text: "one two", thoughts: "hm", ended: map[string]bool{"ended": true}}
	require.Nil(t, r.of(textChunk(v1.AgentMessage, "one")))
	require.Nil(t, r.of(ended))
	require.Equal(t, open, r.of(open))
	require.Nil(t, r.of(&v1.Plan{}))
	require.Equal(t, textChunk(v1.AgentMessage, " three"), r.of(textChunk(v1.AgentMessage, " two three")))
	require.Nil(t, r.of(textChunk(v1.AgentThought, "hm")))
	require.Equal(t, textChunk(v1.AgentThought, "so"), r.of(textChunk(v1.AgentThought, "so")))
	require.Equal(t, textChunk(v1.AgentMessage, "four"), r.of(textChunk(v1.AgentMessage, "four")))
}

// An agent may repeat its history in other words.
func TestAnotherHistoryHasNoRest(t *testing.T) {
	r := &rest{text: "one two"}
	require.Nil(t, r.of(textChunk(v1.AgentMessage, "another")))
	require.Nil(t, r.of(textChunk(v1.AgentMessage, "one two three")))
}
