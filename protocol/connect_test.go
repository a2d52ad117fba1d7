package protocol_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

// notes keeps what it gets and answers with the params.
type notes struct {
	stream *protocol.Stream
	got    []jsonrpc2.Request
}

func (n *notes) Handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	n.got = append(n.got, *r)
	switch {
	case r.Notif:
	case r.Params == nil:
		_ = n.stream.AnswerError(r.ID, &jsonrpc2.Error{Code: -32602, Message: "params"})
	default:
		_ = n.stream.Answer(r.ID, func(dst []byte) []byte { return append(dst, *r.Params...) })
	}
}

func connect(r io.Reader) (*notes, []string) {
	out := newRecord()
	n := &notes{stream: protocol.NewStream(r, out, nil, silent)}
	n.stream.Connect(context.Background(), n, jsonrpc2.SetLogger(discard{}))
	return n, out.lines()
}

func TestARequestsParamsAreWhatThePeerWrote(t *testing.T) {
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
		_, lines := connect(strings.NewReader(`{"params":` + params + `,"id":1,"method":"m","jsonrpc":"2.0"}` + "\n"))
		require.Equal(t, []string{`{"jsonrpc":"2.0","id":1,"result":` + want + `}`}, lines)
	}
}

func TestARequestKeepsNothingOfTheLine(t *testing.T) {
	n, _ := connect(strings.NewReader(`{"jsonrpc":"2.0","id":"first","method":"one","params":{"a":"first"}}` + "\n" +
		`{"jsonrpc":"2.0","id":"other","method":"two","params":{"a":"other"}}` + "\n"))
	require.Equal(t, "one", n.got[0].Method)
	require.Equal(t, "first", n.got[0].ID.Str)
	require.JSONEq(t, `{"a":"first"}`, string(*n.got[0].Params))
}

func TestAnAnswerHasTheIDOfItsRequest(t *testing.T) {
	for _, id := range []string{`0`, `7`, `9223372036854775807`, `""`, `"7"`, `"a\"b\n\u2028é"`} {
		n, lines := connect(strings.NewReader(`{"jsonrpc":"2.0","id":` + id + `,"method":"m"}` + "\n"))
		require.Len(t, n.got, 1, id)
		require.False(t, n.got[0].Notif)
		require.Len(t, lines, 1, id)
		require.JSONEq(t, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32602,"message":"params"}}`, lines[0])
	}
	n, lines := connect(strings.NewReader(`{"jsonrpc":"2.0","method":"m\u0065","params":{}}` + "\n"))
	require.True(t, n.got[0].Notif)
	require.Equal(t, "me", n.got[0].Method)
	require.Empty(t, lines)
}
