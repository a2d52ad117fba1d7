//go:build recordings

package dialects

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/agent/stream/dialect"
	"github.com/turnwire/turnwire/internal/agent/dialects"
	"github.com/turnwire/turnwire/internal/agent/transport/httpsse"
)

// recordings is the folder with streams of the real programs. It is outside the
// repository, because we may not publish them. The build tag is for developers
// who have them.
var recordings = filepath.Join("..", "..", "..", "shared", "recordings")

// recorded maps folders to the dialect of their streams.
var recorded = map[string]string{
	"agentao": "agentao",
	"agentb":  "agentb",
	"awaken":  "awaken",
	"ethos":   "ethos",
	"glue":    "glue",
	"tirea":   "awaken", // its former name
}

// refusals are the bodies of refused requests, which are neither streams nor
// events.
var refusals = []string{"agentb/16_http_400_empty_prompt", "agentb/17_http_403"}

func TestRecordedStreamsAreUnderstood(t *testing.T) {
	folders, err := os.ReadDir(recordings)
	require.NoError(t, err)
	read := 0
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			name, ok := recorded[folder.Name()]
			require.True(t, ok, "nobody says which dialect that is")
			d, ok := dialects.Named(name)
			require.True(t, ok, "there is no dialect %s", name)
			files, err := os.ReadDir(filepath.Join(recordings, folder.Name()))
			require.NoError(t, err)
			require.NotEmpty(t, files)
			for _, f := range files {
				read++
				t.Run(f.Name(), func(t *testing.T) { understand(t, d, folder.Name()+"/"+f.Name()) })
			}
		})
	}
	require.NotZero(t, read)
	t.Logf("read %d recordings", read)
}

func understand(t *testing.T, d dialect.Dialect, name string) {
	t.Helper()
	stream, err := os.ReadFile(filepath.Join(recordings, name))
	require.NoError(t, err)
	in := httpsse.Lines(bytes.NewReader(stream))
	stream, err = io.ReadAll(in)
	require.NoError(t, err)
	require.NoError(t, in.Close())

	got := decode(t, d, stream)
	lawful(t, got)
	for _, l := range got.lines {
		require.False(t, l.unknown, "not known: %s", l.text)
		if l.err != nil {
			_, malformed := errors.AsType[*dialect.MalformedError](l.err)
			require.False(t, malformed, "%v: %s", l.err, l.text)
		}
		// Other lines of a recording: stray output, notes, and the requests,
		// which follow "> ".
		require.True(t, l.err == nil || l.text[0] != '{' || refused(name), "%v: %s", l.err, l.text)
	}
	require.Equal(t, refused(name) || len(bytes.TrimSpace(stream)) == 0, len(got.events) == 0)
	require.Equal(t, got, decode(t, dialects.Auto(), stream), "another dialect is found by itself")
}

func refused(name string) bool {
	for _, r := range refusals {
		if strings.HasPrefix(name, r) {
			return true
		}
	}
	return false
}
