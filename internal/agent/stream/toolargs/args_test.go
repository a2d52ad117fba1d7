package toolargs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/agent/stream/toolargs"
)

func TestArgs(t *testing.T) {
	a := toolargs.Parse(nil, []byte(`{"a":"first","a":"x\ny","empty":"","n":3,"f":1.5,"big":1e300,"no":"3","yes":true,"null":null}`))
	require.Equal(t, "x\ny", a.Text("missing", "n", "a"), "the last member of a name, and the first key with a text")
	require.Equal(t, "a", a.First("empty", "n", "a"))
	require.Empty(t, a.First("empty", "n"))
	require.Equal(t, "3", string(a.Value("missing", "n", "a")))
	_, ok := a.String("n")
	require.False(t, ok)
	empty, ok := a.String("empty")
	require.True(t, ok)
	require.Empty(t, empty)
	require.True(t, a.True("yes"))
	require.False(t, a.True("a", "yes"))
	n, ok := a.Int("n")
	require.True(t, ok)
	require.Equal(t, 3, n)
	for _, key := range []string{"f", "big", "no", "null", "missing"} {
		_, ok := a.Int(key)
		require.False(t, ok, key)
	}
	for _, raw := range []string{``, `[]`, `null`, `{"a":1`, `{"a":1} x`} {
		require.Nil(t, toolargs.Parse(nil, []byte(raw)), raw)
	}
}
