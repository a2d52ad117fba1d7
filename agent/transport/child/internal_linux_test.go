package child

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutRunGuardNothingIsStarted(t *testing.T) {
	guardReady.Store(false)
	defer guardReady.Store(true)
	_, err := Start(Spec{Args: []string{"true"}})
	require.ErrorIs(t, err, errNoRunGuard)
}

func TestParentIsFoundBehindAnyName(t *testing.T) {
	for stat, want := range map[string]int{
		"12 (sh) S 7 12 12 0":              7,
		"12 (a) Z 99 (b c)) R 8 12 12 0\n": 8,
		"12 () S 1 12":                     1,
	} {
		parent, ok := parentIn([]byte(stat))
		require.True(t, ok, stat)
		require.Equal(t, want, parent, stat)
	}
	for _, stat := range []string{"", "12", "12 (sh)", "12 (sh) S", "12 (sh) S x"} {
		_, ok := parentIn([]byte(stat))
		require.False(t, ok, stat)
	}
}
