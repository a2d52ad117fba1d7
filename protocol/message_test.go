package protocol_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/protocol"
)

// notes stores the messages that it gets, and answers requests with their params.
type notes struct {
	stream *protocol.Stream
	got    []protocol.Message
}

func (n *notes) handle(m protocol.Message) {
	m.ID = bytes.Clone(m.ID)
	n.got = append(n.got, m)
	switch {
	case m.ID == nil:
	case m.Params == nil:
		_ = n.stream.Send(rawmsg.Response(m.ID, rawmsg.Error, []byte(`{"code":-32602,"message":"params"}`)))
	default:
		_ = n.stream.Send(rawmsg.Response(m.ID, rawmsg.Result, m.Params))
	}
}

func exchange(t *testing.T, r io.Reader) (*notes, []string) {
	t.Helper()
	out := newRecord()
	n := &notes{stream: protocol.NewStream(r, out, nil, silent)}
	require.NoError(t, n.stream.Messages(n.handle))
	require.NoError(t, n.stream.Close())
	return n, out.lines()
}

func TestARequestsParamsAreThePeersBytes(t *testing.T) {
	for params, want := range map[string]string{
		`{"b":1,"a":1.0,"n":12345678901234567890}`: "",
		`{ "a" : [ 1 , 2 ] }`:                      "",
		`{"a":"\u00e9<\/","a":null}`:               "",
		`[]`:                                       "",
		`null`:                                     "",
		"{\"a\":\"x\xffy\",\"b\":1}":               `{"a":"x` + "\ufffd" + `y","b":1}`,
		`{"a":"x\ud83dy","b":"\ud83d\ude42"}`:      `{"a":"x\ufffdy","b":"\ud83d\ude42"}`,
	} {
		if want == "" {
			want = params
		}
		_, lines := exchange(t, strings.NewReader(`{"params":`+params+`,"id":1,"method":"m","jsonrpc":"2.0"}`+"\n"))
		require.Equal(t, []string{`{"jsonrpc":"2.0","id":1,"result":` + want + `}`}, lines)
	}
}

func TestAnAnswerHasTheIDOfItsRequest(t *testing.T) {
	for _, id := range []string{`0`, `7`, `9223372036854775807`, `""`, `"7"`, `"a\"b\n\u2028é"`} {
		n, lines := exchange(t, strings.NewReader(`{"jsonrpc":"2.0","id":`+id+`,"method":"m"}`+"\n"))
		require.Len(t, n.got, 1, id)
		require.Equal(t, id, string(n.got[0].ID))
		require.Len(t, lines, 1, id)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32602,"message":"params"}}`, lines[0])
	}
	n, lines := exchange(t, strings.NewReader(`{"jsonrpc":"2.0","method":"m\u0065","params":{}}`+"\n"))
	require.Nil(t, n.got[0].ID)
	require.Equal(t, "me", n.got[0].Method)
	require.Empty(t, lines)
}
