package atomicfile_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/turnwire/turnwire/internal/atomicfile"
)

func TestAFileIsReplacedOnceItsReaderClosesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	require.NoError(t, atomicfile.Write(path, []byte("first")))
	reader, err := os.Open(path)
	require.NoError(t, err)
	time.AfterFunc(20*time.Millisecond, func() { reader.Close() })
	require.NoError(t, atomicfile.Write(path, []byte("second")))
	text, err := atomicfile.Read(path, 100)
	require.NoError(t, err)
	require.Equal(t, "second", string(text))
}
