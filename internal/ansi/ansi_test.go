package ansi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/ansi"
)

func TestAStyleEndsWhereItsTextDoes(t *testing.T) {
	require.Equal(t, "\x1b[1mtext\x1b[m", ansi.Bold.Apply("text"))
	require.Equal(t, "\x1b[31;1mtext\x1b[m", ansi.BoldRed.Apply("text"))
	require.Empty(t, ansi.Red.Apply(""), "nothing has no look")
}

// Terminals treat a count of zero as one.
func TestTheCursorGoesUpAtLeastOneRow(t *testing.T) {
	require.Equal(t, "\x1b[A", ansi.CursorUp(0))
	require.Equal(t, "\x1b[A", ansi.CursorUp(1))
	require.Equal(t, "\x1b[12A", ansi.CursorUp(12))
}
