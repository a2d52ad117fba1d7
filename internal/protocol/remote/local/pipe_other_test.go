//go:build !windows

package local

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPipesAreNotSupportedHere(t *testing.T) {
	_, err := Dial(t.Context(), `\\.\pipe\x`)
	require.ErrorIs(t, err, errNoPipes)
	_, err = ListenPipe(`\\.\pipe\x`)
	require.ErrorIs(t, err, errNoPipes)
	pipe, err := UserPipe()
	require.NoError(t, err)
	require.Empty(t, pipe)
}
