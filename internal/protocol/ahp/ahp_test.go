package ahp_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/ahp"
)

func TestTheHighestCompatibleVersionIsChosen(t *testing.T) {
	for _, c := range []struct {
		offered []string
		want    string
		err     error
	}{
		{[]string{"0.9.0", "0.7.0", "0.6.0"}, "0.9.0", nil},
		{[]string{"0.10.0", "0.9.0"}, "0.9.0", nil},
		{[]string{"0.9.0", "1.0.0", "1.1.0"}, "1.1.0", nil},
		{[]string{"2.0.0", "0.8.0"}, "", ahp.ErrVersion},
		{nil, "", ahp.ErrVersion},
		{[]string{"1.0"}, "", ahp.ErrMalformed},
		{[]string{"1.0.00"}, "", ahp.ErrMalformed},
		{[]string{"1.0.-1", "1.0.0"}, "", ahp.ErrMalformed},
	} {
		got, err := ahp.Negotiate(c.offered)
		require.ErrorIs(t, err, c.err)
		require.Equal(t, c.want, got)
	}
}

func TestURIsOfSessionsAndChats(t *testing.T) {
	for uri, want := range map[string][2]string{"turnwire:/1-a": {"turnwire", "1-a"}, "ahp-session:/x": {"", "x"}} {
		provider, id, ok := ahp.ParseSession(uri)
		require.True(t, ok)
		require.Equal(t, want, [2]string{provider, id})
		back, ok := ahp.SessionOfChat(ahp.ChatURI(uri))
		require.True(t, ok)
		require.Equal(t, uri, back)
	}
	for _, uri := range []string{"", "x", "x:/", "X:/1", "1x:/1", "x:/a/b", "x:/a?b"} {
		_, _, ok := ahp.ParseSession(uri)
		require.False(t, ok, uri)
	}
	_, ok := ahp.SessionOfChat("ahp-chat://default/%%")
	require.False(t, ok)
}

func TestClientsMaySendOnlyClientActions(t *testing.T) {
	for raw, want := range map[string]error{
		`{"type":"chat/delta","turnId":"t","partId":"p","content":"x"}`: ahp.ErrHostAction,
		`{"type":"chat/turnResume"}`:                                    ahp.ErrNotSupported,
		`{"type":"chat/other"}`:                                         ahp.ErrUnknownAction,
	} {
		_, err := ahp.Decode([]byte(raw))
		require.ErrorIs(t, err, want)
	}
	a, err := ahp.Decode([]byte(`{"type":"session/isReadChanged","isRead":true}`))
	require.NoError(t, err)
	require.Equal(t, &ahp.SessionIsReadChanged{IsRead: true}, a)
	require.True(t, ahp.Knows("0.9.0", "chat/turnResume"))
	require.False(t, ahp.Knows("0.9.0", "channel/frame"))
}

// Whatever a client sends, and in whatever state, nothing panics, and the snapshot can
// be encoded.
func FuzzActions(f *testing.F) {
	f.Add([]byte(`{"type":"chat/turnStarted","turnId":"t","startedAt":"","message":{"text":"x","origin":{"kind":"user"}}}`))
	f.Add([]byte(`{"type":"chat/toolCallConfirmed","turnId":"t","toolCallId":"c","approved":true}`))
	f.Add([]byte(`{"type":"chat/inputAnswerChanged","requestId":"q","questionId":"a","answer":{"state":"draft"}}`))
	f.Add([]byte(`{"type":"chat/queuedMessagesReordered","order":["a","a",""]}`))
	f.Add([]byte(`{"type":"session/activeClientSet","activeClient":{"clientId":7}}`))
	f.Add([]byte(`{"type":"session/configChanged","replace":true,"config":null}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		a, err := ahp.Decode(raw)
		if err != nil {
			return
		}
		chat := &ahp.Chat{}
		session := &ahp.Session{Config: &ahp.SessionConfig{}}
		chat.Apply(&ahp.TurnStarted{TurnID: "t"}, "")
		chat.Apply(&ahp.ToolCallStart{TurnID: "t", ToolCallID: "c"}, "")
		chat.Apply(&ahp.ToolCallReady{TurnID: "t", ToolCallID: "c"}, "")
		chat.Apply(&ahp.InputRequested{Request: ahp.InputRequest{ID: "q"}}, "")
		chat.Apply(a, "")
		session.Apply(a)
		for _, v := range []any{chat, session, ahp.Encode(a)} {
			_, err := json.Marshal(v)
			require.NoError(t, err)
		}
	})
}
