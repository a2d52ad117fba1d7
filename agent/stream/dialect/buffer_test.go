package dialect

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOnlySoManyStreamsHaveLargeBuffers(t *testing.T) {
	require.Zero(t, large.Load())
	var pumps []*pump
	wide := 0
	for range 2 * maxLarge {
		p := &pump{full: true}
		pumps = append(pumps, p)
		if cap(p.sized(make([]byte, 0, smallBuffer))) == largeBuffer {
			wide++
		}
	}
	require.Equal(t, maxLarge, wide)

	// A stream that is calm again makes room for another one.
	calm := pumps[0]
	calm.full, calm.calm = false, calmReads
	require.Equal(t, largeBuffer, cap(calm.sized(make([]byte, 0, largeBuffer))), "a moment's calm changes nothing")
	calm.calm++
	require.Equal(t, smallBuffer, cap(calm.sized(make([]byte, 0, largeBuffer))))
	last := pumps[len(pumps)-1]
	require.Equal(t, largeBuffer, cap(last.sized(make([]byte, 0, smallBuffer))))
	for _, p := range pumps {
		p.giveBack()
	}
	require.Zero(t, large.Load())
}
