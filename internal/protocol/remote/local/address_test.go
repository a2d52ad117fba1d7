package local

import (
	"io/fs"
	"net"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAddressHasAURL(t *testing.T) {
	for address, want := range map[string]string{
		"/run/s.sock":               "ws+unix:///run/s.sock:/acp/x",
		"/tmp/a b%20?#:/s":          "ws+unix:///tmp/a%20b%2520%3F%23:/s:/acp/x",
		`\\.\pipe\turnwire-S-1-5-2`: "ws+unix:////./pipe/turnwire-S-1-5-2:/acp/x",
		"C:/Users/me/s.sock":        "ws+unix:///C:/Users/me/s.sock:/acp/x",
	} {
		got := URL(address, "/acp/x")
		require.Equal(t, want, got)
		u, err := url.Parse(got)
		require.NoError(t, err)
		back, path, ok := parse(u, true)
		require.True(t, ok)
		require.Equal(t, address, back)
		require.Equal(t, "/acp/x", path)
	}
	u, err := url.Parse("ws+unix:///C:/s:/acp")
	require.NoError(t, err)
	here, _, _ := parse(u, false)
	require.Equal(t, "/C:/s", here, "where there are no drives it is a folder")
}

func TestInvalidAddressesAreNotParsed(t *testing.T) {
	for _, raw := range []string{"ws+unix:///run/s.sock", "ws+unix://host/s:/acp", "ws+unix://:/acp", "ws://host/s:/acp", "ws+unix:run:/acp", "ws+unix:///s:acp"} {
		u, err := url.Parse(raw)
		if err != nil {
			continue
		}
		_, _, ok := Parse(u)
		require.False(t, ok, raw)
	}
}

func TestAPipeIsRecognisedByItsPath(t *testing.T) {
	for address, want := range map[string]bool{
		`\\.\pipe\x`: true, `\\.\PIPE\x`: true, "//./pipe/x": true,
		`\\.\pipe\`: false, `\\host\pipe\x`: false, "/tmp/pipe": false, "": false, `\\.\pip`: false,
	} {
		require.Equal(t, want, IsPipe(address), address)
	}
}

func TestASocketIsDialled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	_, err := Dial(t.Context(), path)
	require.ErrorIs(t, err, fs.ErrNotExist)
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	conn, err := Dial(t.Context(), path)
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.NoError(t, l.Close())
}
