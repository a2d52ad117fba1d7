package remote_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/protocol/remote"
)

func TestAWindowKeepsWhatIsNotAcknowledged(t *testing.T) {
	var w remote.Window
	for _, line := range []string{"one", "two", "three"} {
		w.Add([]byte(line))
	}
	require.Equal(t, int64(3), w.Last())
	require.Equal(t, "one", string(w.After(0)))
	require.NoError(t, w.Ack(1))
	require.Nil(t, w.After(0), "it is gone")
	require.Equal(t, "two", string(w.After(1)))
	require.Equal(t, 8, w.Size())
	w.Amend(func([]byte) []byte { return []byte("x") })
	require.Equal(t, 2, w.Size())
	require.ErrorIs(t, w.Ack(0), remote.ErrHistory)
	require.ErrorIs(t, w.Ack(4), remote.ErrHistory)
	require.NoError(t, w.Ack(3))
	require.Zero(t, w.Size())
	require.Nil(t, w.After(3))
	w.Add([]byte("four"))
	require.Equal(t, "four", string(w.After(3)))
}

func FuzzControl(f *testing.F) {
	f.Add([]byte(`{"hello":{"connection":"c"},"received":3}`))
	f.Add([]byte(`{"received":-1}`))
	f.Add([]byte(`{"bye":true,"hello":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := remote.ParseControl(text)
		if err != nil {
			return
		}
		require.GreaterOrEqual(t, c.Received, int64(0))
		again, err := remote.ParseControl(c.Append(nil))
		require.NoError(t, err)
		require.Equal(t, c, again)
	})
}
