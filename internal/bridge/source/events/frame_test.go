package events

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
	v1 "github.com/turnwire/turnwire/internal/protocol/v1"
)

func TestEachMessageHasItsOwnFrame(t *testing.T) {
	var f frames
	of := func(id string) (line string, frame *core.Frame) {
		c := f.of("S1", v1.AgentMessage, id)
		return string(c.Prefix) + "x" + c.Suffix, c
	}
	var before *core.Frame
	for _, id := range []string{"", "m1", "m2", "m1", "m3", ""} {
		line, frame := of(id)
		require.NotSame(t, before, frame, id)
		again, same := of(id)
		require.Same(t, frame, same)
		require.Equal(t, line, again)
		want := v1.AppendNotification(nil, "S1", &v1.MessageChunk{Kind: v1.AgentMessage, MessageID: id, Content: &v1.TextBlock{Text: v1.NewText("x")}})
		require.JSONEq(t, string(want), line)
		before = frame
	}
}
