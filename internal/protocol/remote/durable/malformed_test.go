package durable_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/rawmsg"
	"github.com/turnwire/turnwire/internal/protocol/remote/durable"
	"github.com/turnwire/turnwire/internal/protocol/remote/server"
	"github.com/turnwire/turnwire/internal/test/flaky"
	"github.com/turnwire/turnwire/protocol"
)

// malformed are lines that a server refuses or repairs.
var malformed = []string{
	`{"jsonrpc":"2.0","id":1,"method":5}`,
	`{"jsonrpc":"2.0","id":2,"method":null}`,
	`{"jsonrpc":"2.0","id":3}`,
	`{"jsonrpc":"2.0","id":4,"method":""}`,
	`{"jsonrpc":"2.0","id":-5,"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":-0,"method":"x/y"}`,
	`{"jsonrpc":"1.0","id":6,"method":"x/y"}`,
	`{"id":7,"method":"x/y"}`,
	`{"id":8}`,
	`{"jsonrpc":"2.0","id":9,"method":"x/y","result":{}}`,
	`{"jsonrpc":"2.0","id":"ten","method":{}}`,
	"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"x/y\"}",
	`{"jsonrpc":"2.0","id":"\ud83d","method":"x/y"}`,
	`{"jsonrpc":"2.0","id":"\u0041","method":"x/y"}`,
	"\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":11,"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":{"a":1},"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":[1],"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":[2]}`,
	`{"jsonrpc":"2.0","id":true,"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":1.5,"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":9223372036854775808,"method":"x/y"}`,
	`{"jsonrpc":"2.0","id":null,"method":"x/y"}`,
	`{"jsonrpc":"2.0"}`,
	`{"jsonrpc":"2.0","id":12,"result":{}}`,
	`{"jsonrpc":"2.0","id":13,"error":null}`,
	`{"jsonrpc":"2.0","id":14,"method":5,"result":{}}`,
	`{}`,
	`[]`,
	`nothing`,
}

// refusing serves a connection, and knows no method.
func refusing(in io.Reader, out io.WriteCloser) {
	s := protocol.NewStream(in, out, nil, slog.New(slog.DiscardHandler))
	_ = s.Messages(func(m protocol.Message) {
		switch {
		case m.ID == nil || m.Method == "":
		case m.Method == "last":
			_ = s.Send(rawmsg.Response(m.ID, rawmsg.Result, []byte(`{}`)))
		default:
			s.RefuseRequest(m.ID, protocol.Errorf(protocol.CodeMethodNotFound, "%s", m.Method))
		}
	})
	_ = s.Close()
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

const last = `{"jsonrpc":"2.0","id":"last","method":"last"}`

func TestMalformedLinesAreAnsweredAsWithoutAServer(t *testing.T) {
	var direct bytes.Buffer
	refusing(strings.NewReader(strings.Join(malformed, "\n")+"\n"+last+"\n"), unclosed{&direct})
	want := strings.Split(strings.TrimSpace(direct.String()), "\n")
	require.Greater(t, len(want), len(malformed)/2)
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, func(ctx context.Context, c *server.Conn) {
			defer context.AfterFunc(ctx, func() { _ = c.CloseRead() })()
			refusing(c, unclosed{c})
		})
		p := play(t, s, func(c *durable.Config) { c.Answer = true })
		for _, line := range malformed {
			p.say("%s", line)
		}
		p.say(last)
		var got []string
		for !slices.Contains(got, want[len(want)-1]) {
			got = append(got, p.next(func(line) bool { return true }).text)
		}
		require.Equal(t, want, got)
		require.NoError(t, p.conn.Close())
		for l := range p.lines {
			require.Fail(t, "answered twice", l.text)
		}
	})
}

func TestAMalformedRequestIsAnsweredIfItsServerIsKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := flaky.Calm(t, server.Limits{}, nil, newBot(t).serve)
		p := play(t, s, nil)
		p.begin()
		s.Proxy.Refuse(true)
		s.Proxy.Cut()
		synctest.Wait()
		p.say(`{"jsonrpc":"2.0","id":0,"method":5}`)
		p.say(`{"jsonrpc":"2.0","id":1}`)
		s.Crash(server.Limits{})
		s.Proxy.Refuse(false)
		time.Sleep(time.Minute)
		answers := make(map[string]string)
		for len(p.lines) > 0 {
			if l := <-p.lines; l.Error != nil {
				answers[string(l.ID)] += l.Error.Data.Code
			}
		}
		require.Equal(t, map[string]string{"0": "interrupted", "1": "interrupted"}, answers)
	})
}
