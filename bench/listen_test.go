package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestListenPassesOnOnlyAnswers(t *testing.T) {
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"x":"` + strings.Repeat("x", 2*chunk) + `"}}` + "\n"
	r := strings.NewReader(update + `{"id":1,"result":{}}` + "\n" + update + `{"id":2,"result":{}}` + "\n")
	answers := make(chan arrival, 3)
	listen(r, answers)
	require.Equal(t, int64(1), *(<-answers).ID)
	require.Equal(t, int64(2), *(<-answers).ID)
	require.ErrorIs(t, (<-answers).err, io.EOF)
}

func TestPacerReadsInSipsUntilItIsReleased(t *testing.T) {
	p := &pacer{Reader: strings.NewReader(strings.Repeat("x", 3*sip)), rate: 1 << 30}
	buf := make([]byte, 4*sip)
	n, err := p.Read(buf)
	require.NoError(t, err)
	require.Equal(t, sip, n)

	p.released.Store(true)
	n, err = p.Read(buf)
	require.NoError(t, err)
	require.Equal(t, 2*sip, n)
}
