package protocol_test

import (
	"context"
	"fmt"
	"io"
	"testing"

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
		"without a code": {io.ErrUnexpectedEOF, -32603, "Internal error", `{"details":"unexpected EOF","error":"unexpected EOF"}`},
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

func TestErrorsAreFoundByTheirCode(t *testing.T) {
	err := fmt.Errorf("outer: %w", protocol.Errorf(protocol.CodeNotFound, "inner: %w", io.EOF))
	require.ErrorIs(t, err, &protocol.Error{Code: protocol.CodeNotFound})
	require.NotErrorIs(t, err, &protocol.Error{Code: protocol.CodeInternal})
	require.ErrorIs(t, err, io.EOF)
	var coded *protocol.Error
	require.ErrorAs(t, err, &coded)
	require.Equal(t, "Resource not found: inner: EOF", coded.Error())
}
