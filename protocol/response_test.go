package protocol_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"testing"
	"testing/synctest"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

// A caller is a connection that calls its peer, which is the test.
type caller struct {
	conn *jsonrpc2.Conn
	peer io.Writer
	out  *bufio.Reader
}

func newCaller(t *testing.T) *caller {
	t.Helper()
	in, peer := io.Pipe()
	out, w := io.Pipe()
	s := protocol.NewStream(in, w, in.Close, silent)
	conn := jsonrpc2.NewConn(context.Background(), s, &echo{}, jsonrpc2.SetLogger(discard{}))
	t.Cleanup(func() {
		_ = conn.Close()
		<-conn.DisconnectNotify()
	})
	return &caller{conn, peer, bufio.NewReader(out)}
}

// call makes a call with the id 5 and sends it the peer's lines.
func (c *caller) call(t *testing.T, lines ...string) (result string, err error) {
	t.Helper()
	w, err := c.conn.DispatchCall(t.Context(), "ask", nil, jsonrpc2.PickID(jsonrpc2.ID{Num: 5}))
	require.NoError(t, err)
	require.Equal(t, `{"id":5,"jsonrpc":"2.0","method":"ask"}`, c.read(t))
	for _, line := range lines {
		c.send(t, line)
	}
	var raw json.RawMessage
	err = w.Wait(t.Context(), &raw)
	return string(raw), err
}

func (c *caller) send(t *testing.T, line string) {
	t.Helper()
	_, err := io.WriteString(c.peer, line+"\n")
	require.NoError(t, err)
}

func (c *caller) read(t *testing.T) string {
	t.Helper()
	line, err := c.out.ReadString('\n')
	require.NoError(t, err)
	return line[:len(line)-1]
}

// alive checks that the connection answers, and that it wrote nothing before that.
func (c *caller) alive(t *testing.T) {
	t.Helper()
	c.send(t, `{"jsonrpc":"2.0","id":"alive","method":"ping"}`)
	require.Equal(t, answer(`"alive"`, "ping"), c.read(t))
}

func TestResponsesReachTheirCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for line, want := range map[string]string{
			`{"jsonrpc":"2.0","id":5,"result":{"a":1}}`:         `{"a":1}`,
			`{"jsonrpc":"2.0","id":5,"result":null}`:            `null`,
			`{"jsonrpc":"2.0","id":5,"result":"x"}`:             `"x"`,
			`{"jsonrpc":"2.0","id":5,"result":[],"error":null}`: `[]`,

			// Members whose names only resemble those of a message.
			`{"jsonrpc":"2.0","id":5,"result":1,"Result":2}`:                                    `1`,
			`{"Id":6,"jsonrpc":"2.0","id":5,"result":1,"ID":7}`:                                 `1`,
			`{"jsonrpc":"2.0","id":5,"result":{"A":1},"Error":{"code":1,"message":""}}`:         `{"A":1}`,
			`{"jsonrpc":"2.0","id":5,"result":{},"Method":"m"}`:                                 `{}`,
			`{"jsonrpc":"2.0","id":5,"re\u0073ult":"escaped","RESULT":1,"Params":[],"meta":[]}`: `"escaped"`,
		} {
			c := newCaller(t)
			got, err := c.call(t, line)
			require.NoError(t, err, line)
			require.Equal(t, want, got)
			c.alive(t)
		}
	})
}

func TestErrorsReachTheirCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t)
		_, err := c.call(t, `{"jsonrpc":"2.0","id":5,"error":{"code":-32601,"message":"no such method","Message":"x","CODE":2,"data":{"x":1}}}`)
		var wire *jsonrpc2.Error
		require.ErrorAs(t, err, &wire)
		require.Equal(t, int64(-32601), wire.Code)
		require.Equal(t, "no such method", wire.Message)
		c.alive(t)
	})
}

// A waiting call must learn of its failure. A response is never answered, because its
// id would name a request that does not exist.
func TestAMalformedAnswerFailsItsCall(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":5,"error":"it broke"}`,
		`{"jsonrpc":"2.0","id":5,"error":17}`,
		`{"jsonrpc":"2.0","id":5,"error":true}`,
		`{"jsonrpc":"2.0","id":5,"error":[]}`,
		`{"jsonrpc":"2.0","id":5,"error":{}}`,
		`{"jsonrpc":"2.0","id":5,"error":null}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":"x","message":"y"}}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":1.5,"message":"y"}}`,
		`{"jsonrpc":"2.0","id":5,"error":{"code":1,"message":{}}}`,
		`{"jsonrpc":"2.0","id":5,"result":{},"error":{"code":1,"message":"both"}}`,
		`{"jsonrpc":"2.0","id":5,"result":{},"error":"both"}`,
	} {
		t.Run(line, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCaller(t)
				_, err := c.call(t, line)
				var wire *jsonrpc2.Error
				require.ErrorAs(t, err, &wire)
				c.alive(t)
			})
		})
	}
}

func TestAnUnexpectedResponseIsDropped(t *testing.T) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":"5","result":1}`,
		`{"jsonrpc":"2.0","id":6,"result":1}`,
		`{"jsonrpc":"2.0","id":0,"result":1}`,
		`{"jsonrpc":"2.0","id":-5,"result":1}`,
		`{"jsonrpc":"2.0","id":5.0,"result":1}`,
		`{"jsonrpc":"2.0","id":{},"result":1}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
		`{"jsonrpc":"2.0","id":null,"result":1}`,
		`{"jsonrpc":"2.0","result":1}`,
		`{"id":5,"result":1}`,
		`{"jsonrpc":"2.0","id":6,"error":null}`,
	} {
		t.Run(line, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCaller(t)
				got, err := c.call(t, line, `{"jsonrpc":"2.0","id":5,"result":"the real one"}`)
				require.NoError(t, err)
				require.Equal(t, `"the real one"`, got)
				c.alive(t)
			})
		})
	}
}

func TestASecondAnswerIsIgnored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCaller(t)
		got, err := c.call(t, `{"jsonrpc":"2.0","id":5,"result":1}`, `{"jsonrpc":"2.0","id":5,"result":2}`)
		require.NoError(t, err)
		require.Equal(t, "1", got)
		c.alive(t)
	})
}
