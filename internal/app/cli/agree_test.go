package cli

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

func TestOnlyYesIsYes(t *testing.T) {
	unless := errors.New("nothing was done")
	for answer, yes := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "\n": false, "": false, "y": false, "yes please\n": false} {
		var out strings.Builder
		err := agreed(strings.NewReader(answer), &out, false, "Do it?", unless)
		require.Equal(t, yes, err == nil, "%q", answer)
		require.True(t, strings.HasPrefix(out.String(), "Do it? [y/N] "))
	}
}

func TestAKeyIsAnAnswer(t *testing.T) {
	for keys, yes := range map[string]bool{"y": true, "Y": true, "y\r": true, "yes\n": true, "no\n": false, "yesterday\n": false, "n": false, "\r": false, "\x1b": false, "\x03": false, "\x04": false, "": false} {
		require.Equal(t, yes, answerOfKey(strings.NewReader(keys), io.Discard), "%q", keys)
	}
	for _, ignored := range []string{"\x1b[A", "x", "yes, and more that was pasted"} {
		in := io.MultiReader(strings.NewReader(ignored), strings.NewReader("y"))
		require.True(t, answerOfKey(in, io.Discard), "%q is none", ignored)
		in = io.MultiReader(strings.NewReader(ignored), iotest.ErrReader(io.ErrUnexpectedEOF))
		require.False(t, answerOfKey(in, io.Discard), "%q is none", ignored)
	}
}
