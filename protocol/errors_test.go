package protocol_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/protocol"
)

func TestErrorsGoOutWithTheirCode(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		code int64
		text string
		data string
	}{
		"with a code": {
			protocol.Errorf(protocol.CodeNotFound, "no session %q", "s").With("sessionId", "s"),
			-32002, "Resource not found", `{"details":"no session \"s\"","error":"no session \"s\"","sessionId":"s"}`,
		},
		"wrapped": {
			fmt.Errorf("outer: %w", protocol.Errorf(protocol.CodeInvalidParams, "inner")),
			-32602, "Invalid params", `{"details":"inner","error":"inner"}`,
		},
		"without a code": {io.ErrUnexpectedEOF, -32603, "unexpected EOF", `{"details":"unexpected EOF","error":"unexpected EOF"}`},
		"a long cause": {
			errors.New(strings.Repeat("ä", 200) + "\nmore"), -32603, strings.Repeat("ä", 150) + "…",
			`{"details":"` + strings.Repeat("ä", 200) + `\nmore","error":"` + strings.Repeat("ä", 200) + `\nmore"}`,
		},
		"an empty cause": {errors.New(""), -32603, "Internal error", `{"details":"","error":""}`},
		"cancelled": {
			fmt.Errorf("open: %w", context.Canceled),
			-32800, "Request cancelled", `{"details":"open: context canceled","error":"open: context canceled"}`,
		},
		"a login is wanted": {
			protocol.Errorf(protocol.CodeAuthRequired, "log in"),
			-32000, "Authentication required", `{"details":"log in","error":"log in"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			wire := protocol.Wire(c.err)
			require.Equal(t, c.code, wire.Code)
			require.Equal(t, c.text, wire.Message)
			require.NotNil(t, wire.Data)
			require.JSONEq(t, c.data, string(*wire.Data))
		})
	}
}

func TestThePeersErrorIsExplained(t *testing.T) {
	for name, c := range map[string]struct{ err, want string }{
		"the details":              {`{"code":-32603,"message":"Internal error","data":{"details":"Permission denied for fs/read_text_file (--deny-all)"}}`, "Permission denied for fs/read_text_file (--deny-all)"},
		"a message of its own":     {`{"code":-32000,"message":"no"}`, "no"},
		"both":                     {`{"code":-32602,"message":"Invalid params","data":{"error":"no path"}}`, "Invalid params: no path"},
		"twice the same":           {`{"code":-32603,"message":"no such file","data":{"details":"no such file"}}`, "no such file"},
		"the message is cut":       {`{"code":-32603,"message":"no such","data":{"details":"no such file"}}`, "no such file"},
		"text":                     {`{"code":-32603,"message":"internal error","data":"broken"}`, "broken"},
		"data of another kind":     {`{"code":-32603,"message":"Internal error","data":[1]}`, "Internal error"},
		"details of another kind":  {`{"code":-32603,"message":"Internal error","data":{"details":{"a":1},"message":"m"}}`, "m"},
		"nothing":                  {`{"code":-32603,"message":""}`, ""},
		"more than a user can use": {`{"code":1,"message":"` + strings.Repeat("x", 5000) + `"}`, strings.Repeat("x", 2000) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			var e jsonrpc2.Error
			require.NoError(t, json.Unmarshal([]byte(c.err), &e))
			require.Equal(t, c.want, protocol.Reason(&e))
		})
	}
}

func TestErrorsAreFoundByTheirCode(t *testing.T) {
	err := fmt.Errorf("outer: %w", protocol.Errorf(protocol.CodeNotFound, "inner: %w", io.EOF))
	require.ErrorIs(t, err, &protocol.Error{Code: protocol.CodeNotFound})
	require.NotErrorIs(t, err, &protocol.Error{Code: protocol.CodeInternal})
	require.ErrorIs(t, err, io.EOF)
	var coded *protocol.Error
	require.ErrorAs(t, err, &coded)
	require.Equal(t, "Resource not found: inner: EOF", coded.Error())
}
