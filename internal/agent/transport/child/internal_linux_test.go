package child

import (
	"errors"
	"os/exec"
	"syscall"
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

func TestParentIsFoundAfterAnyProgramName(t *testing.T) {
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

// Both ways to find descendants give the same result, including children of other
// threads.
func TestBothWaysFindTheSameDescendants(t *testing.T) {
	cmd := exec.Command("sh", "-c", "sleep 1000 & sh -c 'sleep 1000 & echo; wait' & wait")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(t, cmd.Start())
	defer func() {
		group := -cmd.Process.Pid
		_ = syscall.Kill(group, syscall.SIGKILL)
		// Once a guard was started here, this process adopts what the shells leave
		// behind.
		for err := error(nil); err == nil || errors.Is(err, syscall.EINTR); {
			_, err = syscall.Wait4(group, nil, 0, nil)
		}
		_ = cmd.Wait()
	}()
	_, err = out.Read(make([]byte, 1)) // the innermost shell has started
	require.NoError(t, err)
	var all []int
	parents := []int{cmd.Process.Pid}
	for table := childrenOfAll(); len(parents) > 0; parents = parents[1:] {
		all = append(all, table[parents[0]]...)
		parents = append(parents, table[parents[0]]...)
	}
	require.Len(t, all, 3)
	require.ElementsMatch(t, all, descendants(cmd.Process.Pid))
	require.Contains(t, lookAround()(syscall.Getpid()), cmd.Process.Pid)
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
