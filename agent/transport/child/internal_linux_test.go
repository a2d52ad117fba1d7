package child

import (
	"testing"
	"time"

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

func TestAChaseEndsWhenNothingNewIsFound(t *testing.T) {
	now := time.Now()
	c := newChase(now)
	require.True(t, c.seen(now, 1, 2))
	for range minLooks + 5 {
		require.True(t, c.seen(now.Add(killLimit-1), 1, 2), "they may still die")
	}
	require.False(t, c.seen(now.Add(killLimit), 1, 2), "they cannot be killed")
	require.True(t, c.seen(now.Add(killLimit), 2, 3), "another has been started meanwhile")
	require.True(t, c.seen(now.Add(2*killLimit-1)))

	// A look can take longer than the limit.
	for look := 2; look < minLooks; look++ {
		require.True(t, c.seen(now.Add(time.Hour)))
	}
	require.False(t, c.seen(now.Add(time.Hour)))
}
