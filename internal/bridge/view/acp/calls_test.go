package acp

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/bridge/core"
)

func TestOpenCallsEndInTheOrderOfTheirArrival(t *testing.T) {
	c := newCalls()
	var want []*core.Call
	for n := range 20 {
		call := new(core.Call)
		c.add(strconv.Itoa(n), call)
		if n%3 == 0 {
			c.remove(call)
			continue
		}
		want = append(want, call)
	}
	open := c.end()
	require.Len(t, open, len(want))
	for i := range want {
		require.Same(t, want[i], open[i])
	}
}
