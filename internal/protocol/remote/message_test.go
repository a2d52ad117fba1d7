package remote_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

func TestParseReadsWhatATransportNeeds(t *testing.T) {
	for text, want := range map[string]remote.Message{
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`:            {ID: "n1", Method: "initialize"},
		`{"id":"1","method":"m","params":{"sessionId":"a\u0062"}}`:  {ID: "s1", Method: "m", Session: "ab"},
		`{"id":null,"result":{"sessionId":"s","x":[{}]}}`:           {Opened: "s"},
		`{"id":-1.5,"error":{"sessionId":"s"}}`:                     {ID: "n-1.5", Failed: true},
		`{"method":"$/cancel_request","params":{"requestId":"r"}}`:  {Method: "$/cancel_request", Cancels: "sr"},
		`{"method":"other","params":{"requestId":7}}`:               {Method: "other"},
		`{"method":7,"params":[{"sessionId":"s"}]}`:                 {},
		`{"method":"m","params":{"sessionId":7}}`:                   {Method: "m"},
		`{"method":"m","params":{"sessionid":"s"}}`:                 {Method: "m"},
		`{"method":"$/x" ,"params":{"x":{},"sessionId":"s"},"y":0}`: {Method: "$/x", Session: "s"},
	} {
		m, err := remote.Parse([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, m, text)
	}
	for text, want := range map[string]string{
		"": "not JSON", "{": "not JSON", `{"a":}`: "not JSON", "{}{}": "not JSON", "[]": "JSON object", `"x"`: "JSON object", "null": "JSON object",
	} {
		_, err := remote.Parse([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestMessagesBelongToAConnectionOrASession(t *testing.T) {
	protocol := remote.Message{Method: "$/cancel_request", Session: "s"}
	require.Empty(t, protocol.Scope())
	require.False(t, protocol.NeedsSession())
	require.True(t, remote.Message{Method: "session/prompt"}.NeedsSession())
	require.True(t, remote.Message{Method: "_own", Session: "s"}.NeedsSession())
	require.False(t, remote.Message{Method: "session/new"}.NeedsSession())
}

// A message is unchanged by OneLine, and an invalid one is an error.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"id":1,"method":"m","params":{"sessionId":"s"}}`, `{"id":"\ud800","result":{"sessionId":"\u0000"}}`, `{"id":1e400}`, `[`, "{\"a\":\"\xff\"}", "{\"id\":\"\xff\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := remote.Parse(bytes.Clone(text))
		if err != nil {
			require.Equal(t, remote.Message{}, m)
			return
		}
		require.True(t, json.Valid(text))
		line := remote.OneLine(bytes.Clone(text))
		require.NotContains(t, string(line), "\n")
		again, err := remote.Parse(line)
		require.NoError(t, err)
		require.Equal(t, m, again, "the same message on one line")
		if id := m.AppendID(nil); m.ID != "" && m.ID[0] == 's' {
			again, err := remote.Parse(append(append([]byte(`{"id":`), id...), '}'))
			require.NoError(t, err)
			require.Equal(t, m.ID, again.ID, "the id of an answer is that of the request")
		}
	})
}

// However lines are split into writes, they come out complete and in order.
func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nbb\r\n\n ccc \nd"), uint8(2))
	f.Add([]byte("0123456789\n"), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		const most = 8
		var got []string
		lines := remote.Lines{Max: most, Each: func(line []byte) error { got = append(got, string(line)); return nil }}
		var failed error
		for rest := text; len(rest) > 0 && failed == nil; {
			n := min(int(size)+1, len(rest))
			var written int
			if written, failed = lines.Write(rest[:n]); failed == nil {
				require.Equal(t, n, written)
			}
			rest = rest[n:]
		}
		var want []string
		tooLong := false
		all := strings.Split(string(text), "\n")
		for i, line := range all {
			if tooLong = len(line) > most; tooLong {
				break
			}
			if line = strings.TrimSpace(line); line != "" && i < len(all)-1 {
				want = append(want, line)
			}
		}
		require.Equal(t, want, got)
		if tooLong {
			require.ErrorIs(t, failed, remote.ErrTooLong)
		} else {
			require.NoError(t, failed)
		}
	})
}
