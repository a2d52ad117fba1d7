package conversation_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent"
	"github.com/turnwire/turnwire/internal/agent/conversation"
)

// text is a message. The user's begin with "u". An asterisk is an image, and an empty
// message isn't sent.
type text string

func (t text) IsUser() bool { return strings.HasPrefix(string(t), "u") }

func (t text) Encode(media bool) json.RawMessage {
	switch {
	case t == "":
		return nil
	case !media:
		t = text(strings.ReplaceAll(string(t), "*", ""))
	}
	return json.RawMessage(`"` + t + `"`)
}

func log(messages ...text) *conversation.Log[text] { return &conversation.Log[text]{All: messages} }

func joined(list []json.RawMessage) string {
	raw, _ := json.Marshal(list)
	return string(raw)
}

func TestARequestHasAllMessagesThatTheServerGets(t *testing.T) {
	require.Equal(t, `["u1","a1","u2"]`, joined(log("u1", "", "a1", "u2").Encode()))
	require.Equal(t, `[]`, joined(log().Encode()))
}

func TestTheNewestWholeTurnsAreSaved(t *testing.T) {
	l := log("u1", "a1", "u2", "a2", "b2")
	for limit, want := range map[int]string{25: `["u1","a1","u2","a2","b2"]`, 24: `["u2","a2","b2"]`, 15: `["u2","a2","b2"]`, 14: `[]`} {
		s, ok := l.Save(limit)
		require.Equal(t, want, joined(s.Messages), limit)
		require.Equal(t, limit < 25, s.Cut)
		require.Equal(t, want != "[]", ok)
	}
}

func TestImagesThatDoNotFitAreNotSaved(t *testing.T) {
	l := log("u1", "a1", "u2*******")
	s, ok := l.Save(17)
	require.True(t, ok)
	require.Equal(t, `["u1","a1","u2"]`, joined(s.Messages))
	require.False(t, s.Cut)
	s, _ = l.Save(22)
	require.Equal(t, `["u1","a1","u2*******"]`, joined(s.Messages))
}

func TestAStateFits(t *testing.T) {
	large := text(strings.Repeat("x", agent.MaxState/2))
	l := log("u1", large, "u2", large)
	require.LessOrEqual(t, len(l.State()), agent.MaxState)
	require.True(t, strings.HasPrefix(string(l.State()), `{"messages":["u2",`))
	require.JSONEq(t, `{"messages":[],"cut":true}`, string(log("u1", large+large).State()))
}

func TestOnlyWholeTurnsAreDropped(t *testing.T) {
	l := log("u1", "a1", "u2", "a2")
	size := l.Trim(1 << 20)
	require.Len(t, l.All, 4)
	require.False(t, l.Cut)
	require.Equal(t, size/2, l.Trim(size-1))
	require.Equal(t, []text{"u2", "a2"}, l.All)
	require.True(t, l.Cut)
	require.Zero(t, l.Trim(size/2-1))
	require.Empty(t, l.All)
}
