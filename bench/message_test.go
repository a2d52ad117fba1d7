package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpdatesAreDistinguishedFromAnswers(t *testing.T) {
	require.True(t, isUpdate([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{}}`)))
	require.False(t, isUpdate([]byte(`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`)))
	require.False(t, isUpdate(nil))
}

func TestAnswersAreParsed(t *testing.T) {
	m, err := answer([]byte(`{"id":3,"jsonrpc":"2.0","error":{"code":-32601,"message":"no"}}`))
	require.NoError(t, err)
	require.Equal(t, int64(3), *m.ID)
	require.Equal(t, -32601, m.Error.Code)

	m, err = answer([]byte(`{"params":{},"method":"session/update"}`))
	require.NoError(t, err)
	require.Nil(t, m, "what has a method is no answer")

	for _, line := range []string{`{"jsonrpc":"2.0","id":null,"error":{}}`, `{"id":3`, `[]`} {
		_, err = answer([]byte(line))
		require.Error(t, err, line)
	}
}

func TestOnlyEndTurnIsASuccess(t *testing.T) {
	for line, want := range map[string]string{
		`{"id":1,"result":{"stopReason":"end_turn"}}`:    "",
		`{"id":1,"result":{"stopReason":"cancelled"}}`:   errCancelled.Error(),
		`{"id":1,"result":{"stopReason":"refusal"}}`:     "refusal",
		`{"id":1,"error":{"code":-32603,"message":"x"}}`: "-32603",
	} {
		m, err := answer([]byte(line))
		require.NoError(t, err)
		if want == "" {
			require.NoError(t, stopped(m))
		} else {
			require.ErrorContains(t, stopped(m), want)
		}
	}
}
