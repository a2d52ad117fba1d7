package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLargeBuffersAreLimited(t *testing.T) {
	require.Zero(t, large.Load())
	var pumps []*pump
	fast := 0
	for range 2 * maxLarge {
		p := newPump(nil, nil)
		p.full = true
		pumps = append(pumps, p)
		if p.pace(); cap(p.sized(nil)) == largeBuffer {
			fast++
		}
	}
	require.Equal(t, maxLarge, fast)

	// A stream that has calmed down makes room for another one.
	calm := pumps[0]
	calm.full, calm.calm = false, calmReads
	calm.pace()
	require.Equal(t, largeBuffer, cap(calm.sized(make([]byte, 0, largeBuffer))), "a moment's calm changes nothing")
	calm.calm++
	calm.pace()
	require.Equal(t, smallBuffer, cap(calm.sized(make([]byte, 0, largeBuffer))))
	last := pumps[len(pumps)-1]
	last.pace()
	require.Equal(t, largeBuffer, cap(last.sized(make([]byte, 0, smallBuffer))))
	for _, p := range pumps {
		p.giveBack()
	}
	require.Zero(t, large.Load())
}
